import { type CommandDefinition, OPTIONS } from "../../command-definition.ts";

export const VERSION_COMMAND: CommandDefinition = {
  name: "version",
  summary: "print the version of qm-deploy, of Node, and the releases of qm that are known",
  options: [OPTIONS.format],
  load: async () => (await import("./version.ts")).run,
};
