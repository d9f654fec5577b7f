import { DEV_ENV_BACKENDS } from "../../catalog-names.generated.ts";
import { type CommandDefinition, valueOption } from "../../command-definition.ts";

export const DEV_ENV: CommandDefinition = {
  name: "dev-env",
  summary: "print the environment that a contributor's own qm core needs for a sandbox backend",
  description:
    "Values come from the environment, else from .env of the worktree; machine names start with `qmdev` where no prefix is set. A key must be set and is never " +
    "printed: shell exports refer to it by name. Warnings go to stderr: when egress would be unrestricted, and when machines could not reach PUBLIC_API_URL.",
  options: [
    valueOption("sandbox", "name", "the backend", { choices: DEV_ENV_BACKENDS }),
    valueOption(
      "worktree",
      "dir",
      "checkout of qm whose .env completes the environment (default: the working directory)",
    ),
    valueOption("format", "name", "how to print (default: shell)", { choices: ["shell", "dotenv", "json"] }),
  ],
  examples: [['eval "$(qm-deploy dev-env --sandbox boxd)"', "agents of this shell's core work on boxd machines"]],
  load: async () => (await import("./dev-env.ts")).run,
};
