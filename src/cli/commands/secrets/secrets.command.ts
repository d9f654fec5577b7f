import type { CommandDefinition } from "../../command-definition.ts";
import { SECRETS_SET } from "./set.command.ts";
import { ENV_FILE_OPTION, FORMAT_OPTION, PATH_ARGUMENT, RELEASE_OPTION, TARGET_OPTION } from "../../shared-options.ts";

export const SECRETS: CommandDefinition = {
  name: "secrets",
  summary: "the secrets that a deployment needs: why, who supplies them, where they go",
  args: [PATH_ARGUMENT],
  options: [FORMAT_OPTION, RELEASE_OPTION, TARGET_OPTION],
  examples: [
    ["qm-deploy secrets", "a table"],
    ["qm-deploy secrets example > .env.example", "a file to fill in"],
    ["qm-deploy secrets set BOXD_API_KEY", "write one value, from a hidden prompt or stdin"],
    ["qm-deploy secrets check --env-file prod.env", "is every required value there, and sound?"],
  ],
  commands: [
    {
      name: "example",
      summary: "print a .env.example: each secret with its purpose and how to get it",
      args: [PATH_ARGUMENT],
      options: [RELEASE_OPTION, TARGET_OPTION],
      load: async () => (await import("./example.ts")).run,
    },
    {
      name: "check",
      summary: "judge the secret values strictly: on every target each required one must be there",
      args: [PATH_ARGUMENT],
      options: [FORMAT_OPTION, ENV_FILE_OPTION, RELEASE_OPTION, TARGET_OPTION],
      load: async () => (await import("./check.ts")).run,
    },
    SECRETS_SET,
  ],
  load: async () => (await import("./secrets.ts")).run,
};
