import type { CommandDefinition } from "../../command-definition.ts";
import { FORMAT_OPTION } from "../../shared-options.ts";

export const VERSION_COMMAND: CommandDefinition = {
  name: "version",
  summary: "print the version of qm-deploy, of Node, and the releases of qm that are known",
  options: [FORMAT_OPTION],
  load: async () => (await import("./version.ts")).run,
};
