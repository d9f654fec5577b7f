import { type CommandDefinition, OPTIONS, PATH_ARGUMENT } from "../../command-definition.ts";

export const DOCTOR: CommandDefinition = {
  name: "doctor",
  summary: "what check cannot see offline: keys, tools, file modes, git, addresses",
  description:
    "Reads and asks, and changes nothing. Each line is ok, failed, or skipped with the reason; the exit status is 1 when one failed.",
  args: [PATH_ARGUMENT],
  options: [OPTIONS.format, OPTIONS.envFile, OPTIONS.release, OPTIONS.target],
  examples: [["qm-deploy doctor", "look around before the first deploy"]],
  load: async () => (await import("./doctor.ts")).run,
};
