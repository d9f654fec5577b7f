import type { CommandDefinition } from "../../command-definition.ts";

export const COMPLETION: CommandDefinition = {
  name: "completion",
  summary: "print a completion script for a shell",
  args: [{ name: "shell", description: "which shell", required: true, choices: ["bash", "zsh", "fish"] }],
  examples: [
    ['eval "$(qm-deploy completion bash)"', "in ~/.bashrc"],
    ['eval "$(qm-deploy completion zsh)"', "in ~/.zshrc, after compinit"],
    ["qm-deploy completion fish | source", "in ~/.config/fish/config.fish"],
  ],
  load: async () => (await import("./completion.ts")).run,
};
