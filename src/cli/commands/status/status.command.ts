import { type CommandDefinition, OPTIONS, PATHS_ARGUMENT } from "../../command-definition.ts";
import { RENDERED_WITH } from "../drift/drift.command.ts";

export const STATUS: CommandDefinition = {
  name: "status",
  summary: "one screen: config sound or not, secrets missing, rendered files current or not, next step",
  description:
    "Judges as `check`, `secrets check` and `render --check` do, and says where a deployment stands and what to do next. Of a directory, every deployment " +
    "in and below it. With --drift the target is asked what runs, as by `drift`; else no program is started. The exit status is 1 where something is left to do, and 2 when the target cannot be asked.",
  args: [PATHS_ARGUMENT],
  options: [
    { name: "drift", description: "also ask the target whether what runs is what is rendered" },
    OPTIONS.format,
    ...RENDERED_WITH,
    OPTIONS.envFile,
    OPTIONS.release,
    OPTIONS.target,
  ],
  examples: [
    ["qm-deploy status", "where does this deployment stand?"],
    ["qm-deploy status --drift", "and does it run as it is rendered?"],
    ["qm-deploy status deployments", "a line for each deployment below a directory"],
  ],
  load: async () => (await import("./status.ts")).run,
};
