import type { CommandDefinition } from "../../command-definition.ts";

export const COMPLETION: CommandDefinition = {
  name: "completion",
  says: "print a completion script for a shell",
  args: [{ name: "shell", says: "which shell", required: true, choices: ["bash", "zsh", "fish"] }],
  examples: [
    ['eval "$(qm-deploy completion bash)"', "in ~/.bashrc"],
    ['eval "$(qm-deploy completion zsh)"', "in ~/.zshrc, after compinit"],
    ["qm-deploy completion fish | source", "in ~/.config/fish/config.fish"],
  ],
  load: () => import("./completion.ts"),
};
