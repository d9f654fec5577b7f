import {
  type CommandDefinition,
  type OptionDefinition,
  OPTIONS,
  PATHS_ARGUMENT,
  valueOption,
} from "../../command-definition.ts";

const RENDER_OUT = valueOption(
  "out",
  "directory",
  "write below this directory instead of `rendered` beside the config",
  {
    completes: "file",
  },
);
const WITH_OPTIONAL = {
  name: "with-optional",
  description: "aws: name optional secrets too where `.env` has no value for them",
};
const BIND = valueOption("bind", "address", "docker: address that ports are bound to (default: 127.0.0.1)");

/** Options that say where the files of one deployment go and what is in them, for whatever renders. */
export const SHAPE_OPTIONS: readonly OptionDefinition[] = [RENDER_OUT, WITH_OPTIONAL, BIND];

export const RENDER: CommandDefinition = {
  name: "render",
  summary: "write every file that the hosting target needs, to be committed and reviewed",
  description:
    "Writes rendered/<target>/ beside the config: env files, compose.yaml, fly.toml files or task definitions, Slack manifests, and " +
    "bring-up.md with the commands from nothing to a running deployment. All files or none are replaced. A deployment that `check` " +
    "refuses is not rendered. Paths are those of `check`: of a directory, every deployment in and below it is rendered.\n\nOffline, and starts no other program, but with --resolve; secret values are written only with --secrets, into files that git ignores.",
  args: [PATHS_ARGUMENT],
  options: [
    RENDER_OUT,
    valueOption("only", "names", "only these artifacts, comma-separated"),
    { name: "check", description: "write nothing; show what would change, and exit with 1 if anything would" },
    { name: "prune", description: "remove files of an earlier render that no longer belong to the deployment" },
    { name: "secrets", description: "also write the secret values of `.env`, into files of mode 0600" },
    OPTIONS.resolve,
    WITH_OPTIONAL,
    BIND,
    { name: "stdout", description: "print the one artifact that --only names, and write nothing" },
    { name: "force", description: "render what can be, whatever `check` says" },
    OPTIONS.ifPresent,
    OPTIONS.format,
    { ...OPTIONS.envFile, description: "read secrets from this file instead of the `.env` beside the config" },
    OPTIONS.release,
    OPTIONS.target,
  ],
  examples: [
    ["qm-deploy render", "write rendered/<target>/"],
    ["qm-deploy render --check", "in CI: is what is committed what the config says?"],
    ["qm-deploy render --check deployments", "the same of every deployment below a directory"],
    ["qm-deploy render --secrets", "also the files that hold secret values"],
    ["qm-deploy render --secrets --resolve", "… with values that other stores keep"],
    ["qm-deploy render --only compose.yaml --stdout", "look at one file"],
  ],
  load: async () => (await import("./render.ts")).run,
};
