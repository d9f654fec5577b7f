import { type CommandDefinition, FORMAT_OPTION } from "../../command-definition.ts";

export const VERSION_COMMAND: CommandDefinition = {
  name: "version",
  summary: "print the version of qm-deploy, of Node, and the releases of qm that are known",
  options: [FORMAT_OPTION],
  load: async () => (await import("./version.ts")).run,
};
