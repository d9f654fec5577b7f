import type { CommandDefinition } from "../../command-definition.ts";

export const LSP: CommandDefinition = {
  name: "lsp",
  summary: "the language server for editors: findings as you type, fixes, hover, completion (docs/editors.md)",
  description:
    "Speaks the Language Server Protocol on stdin and stdout. Editors start it; there is nothing to see in a terminal.",
  options: [{ name: "stdio", description: "what editors add; the server speaks no other way" }],
  examples: [["qm-deploy lsp --stdio", "as an editor starts it"]],
  load: async () => (await import("./lsp.ts")).run,
};
