import type { CommandDefinition } from "../../command-definition.ts";

export const SCHEMA: CommandDefinition = {
  name: "schema",
  summary: "print the JSON Schema of qm.config.jsonc, for editors",
  examples: [["qm-deploy schema > qm.config.schema.json", 'then "$schema": "./qm.config.schema.json" in the config']],
  load: async () => (await import("./schema.ts")).run,
};
