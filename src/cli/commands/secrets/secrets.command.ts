import {
  type CommandDefinition,
  OPTIONS,
  PATH_ARGUMENT,
  PATHS_ARGUMENT,
  valueOption,
} from "../../command-definition.ts";

const SET: CommandDefinition = {
  name: "set",
  summary: "write one secret into .env; its value comes from stdin or a hidden prompt",
  description:
    "One line break at the end of stdin is not part of the value. The file is made when there is none and is readable by you alone (0600); " +
    "comments and every other line stay. Refused where a program that reads the file would get another value, or the value is unsound. " +
    "Where it replaces another value, the commands that bring it into force are printed.",
  args: [
    {
      name: "name",
      description: "which secret; its value is never given here, where other users and the shell's history see it",
      required: true,
    },
  ],
  options: [
    { name: "generate", description: "make the value here, where the secret is a random key or a signing key" },
    {
      name: "force",
      description:
        "write a value that the rules find unsound, or replace one by a generated one, or one that is kept for ever",
    },
    OPTIONS.in,
    valueOption("env-file", "file", "write this file instead of the `.env` beside the config", { completes: "file" }),
  ],
  judgesWords: true,
  examples: [
    ["qm-deploy secrets set BOXD_API_KEY", "asks for the value"],
    ["boxd auth keys create qm | qm-deploy secrets set BOXD_API_KEY", "takes it from a pipe"],
    ["qm-deploy secrets set CORE_SIGNING_SECRET --generate", "makes one"],
  ],
  load: async () => (await import("./set.ts")).set,
};

export const SECRETS: CommandDefinition = {
  name: "secrets",
  summary: "the secrets that a deployment needs: why, who supplies them, where they go",
  args: [PATH_ARGUMENT],
  options: [OPTIONS.format, OPTIONS.release, OPTIONS.target],
  examples: [
    ["qm-deploy secrets", "a table"],
    ["qm-deploy secrets example > .env.example", "a file to fill in"],
    ["qm-deploy secrets set BOXD_API_KEY", "write one value, from a hidden prompt or stdin"],
    ["qm-deploy secrets check --env-file prod.env", "is every required value there, and sound?"],
    ["qm-deploy secrets check --resolve", "also those that 1Password, AWS or another store keeps"],
  ],
  commands: [
    {
      name: "example",
      summary: "print a .env.example: each secret with its purpose and how to get it",
      args: [PATH_ARGUMENT],
      options: [OPTIONS.release, OPTIONS.target],
      load: async () => (await import("./secrets.ts")).example,
    },
    {
      name: "check",
      summary: "judge the secret values strictly: on every target each required one must be there",
      description:
        "Paths are those of `check`: of a directory, every deployment in and below it is judged. Starts no other program but with --resolve.",
      args: [PATHS_ARGUMENT],
      options: [
        OPTIONS.resolve,
        OPTIONS.format,
        OPTIONS.quiet,
        OPTIONS.all,
        OPTIONS.envFile,
        OPTIONS.release,
        OPTIONS.target,
      ],
      load: async () => (await import("./secrets.ts")).check,
    },
    SET,
  ],
  load: async () => (await import("./secrets.ts")).list,
};
