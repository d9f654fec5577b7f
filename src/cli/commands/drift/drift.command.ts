import {
  type CommandDefinition,
  type OptionDefinition,
  OPTIONS,
  PATH_ARGUMENT,
  valueOption,
} from "../../command-definition.ts";

/** Options of render that decide what is compared with. */
export const RENDERED_WITH: readonly OptionDefinition[] = [
  valueOption("bind", "address", "docker: the address that ports were rendered for (default: 127.0.0.1)"),
  { name: "with-optional", description: "aws: optional secrets were rendered too" },
];

export const DRIFT: CommandDefinition = {
  name: "drift",
  summary: "what runs, against what is rendered: images, environment, secrets by name, ports, sizes, mounts",
  description:
    "Asks the target's own program (docker, fly or aws), which must be signed in; it reads and changes nothing. Each difference is told with the " +
    "commands that bring the two together. Secrets are compared by name, never by value. The exit status is 1 when something differs, and 2 when the target cannot be asked.",
  args: [PATH_ARGUMENT],
  options: [
    valueOption("from", "file", "read saved answers from this file, or - for stdin, instead of asking (docs/json.md)", {
      completes: "file",
    }),
    valueOption("format", "name", "how to print (default: pretty)", { choices: ["pretty", "json", "markdown"] }),
    valueOption(
      "out",
      "directory",
      "the files were rendered below this directory instead of `rendered` beside the config",
      {
        completes: "file",
      },
    ),
    ...RENDERED_WITH,
    OPTIONS.envFile,
    OPTIONS.release,
    OPTIONS.target,
  ],
  examples: [
    ["qm-deploy drift", "does what runs match what is rendered?"],
    ["qm-deploy drift --format markdown deployments/acme", "as a report"],
    ["qm-deploy drift --from answers.json", "where the target cannot be reached from here"],
  ],
  load: async () => (await import("./drift.ts")).run,
};
