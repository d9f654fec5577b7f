import {
  type CommandDefinition,
  ENV_FILE_OPTION,
  FORMAT_OPTION,
  PATH_ARGUMENT,
  RELEASE_OPTION,
  TARGET_OPTION,
} from "../../command-definition.ts";

export const DOCTOR: CommandDefinition = {
  name: "doctor",
  summary: "what check cannot see offline: keys, tools, file modes, git, addresses",
  description:
    "Reads and asks, and changes nothing. Each line is ok, failed, or skipped with the reason; the exit status is 1 when one failed.",
  args: [PATH_ARGUMENT],
  options: [FORMAT_OPTION, ENV_FILE_OPTION, RELEASE_OPTION, TARGET_OPTION],
  examples: [["qm-deploy doctor", "look around before the first deploy"]],
  load: async () => (await import("./doctor.ts")).run,
};
