import { type CommandDefinition, OPTIONS, PATHS_ARGUMENT, valueOption } from "../../command-definition.ts";

export const CHECK: CommandDefinition = {
  name: "check",
  summary: "judge deployments: everything that is wrong, where, and what to do",
  description:
    "A path is a config file, `-` for stdin, or a directory: then every qm.config.jsonc in and below it is judged, except " +
    "in node_modules, .git and what `render` wrote; links to directories are followed. Without a path, the deployment in the " +
    "working directory is judged; where there is none, those below it; where there are none either, the nearest above it, no " +
    "further than the root of the repository.\n\nOffline; starts no other program; writes nothing without --fix.",
  args: [PATHS_ARGUMENT],
  options: [
    valueOption("format", "name", "how to report (default: pretty)", {
      choices: ["pretty", "json", "github", "sarif", "junit"],
    }),
    { name: "strict", description: "let warnings fail the run" },
    OPTIONS.ifPresent,
    OPTIONS.quiet,
    OPTIONS.all,
    valueOption("fix", "which", "apply the safe fixes; --fix=all also the suggested ones", {
      choices: ["safe", "all"],
      preset: "safe",
    }),
    { name: "show-suppressed", description: "also list what is suppressed, with the reasons" },
    {
      name: "dry-run",
      description: "with --fix: show how the files would change and what would remain, and write nothing",
    },
    { name: "watch", description: "judge again whenever a file changes" },
    OPTIONS.envFile,
    OPTIONS.release,
    OPTIONS.target,
  ],
  examples: [
    ["qm-deploy check", "this deployment"],
    ["qm-deploy check --strict --format github deployments", "all below a directory, in GitHub Actions"],
    ["qm-deploy check --fix=all", "fix what can be fixed"],
    ["qm-deploy check --fix=all --dry-run", "look first"],
    ["qm-deploy check - < qm.config.jsonc", "a config on stdin"],
  ],
  load: async () => (await import("./check.ts")).run,
};
