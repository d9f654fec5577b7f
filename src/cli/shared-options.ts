import type { ArgumentDefinition, OptionDefinition } from "./command-definition.ts";

/** Options that mean the same in every command that has them. */
export const RELEASE_OPTION: OptionDefinition = {
  name: "release",
  description: "judge by this release of qm instead of the pinned one",
  value: { name: "version" },
};

export const TARGET_OPTION: OptionDefinition = {
  name: "target",
  description: "hosting target, instead of the one in the config",
  value: { name: "name", choices: ["docker", "fly", "aws"] },
};

export const ENV_FILE_OPTION: OptionDefinition = {
  name: "env-file",
  description: "judge this env file instead of the `.env` beside the config",
  value: { name: "file", completes: "file" },
};

export const FORMAT_OPTION: OptionDefinition = {
  name: "format",
  description: "how to print (default: pretty)",
  value: { name: "name", choices: ["pretty", "json"] },
};

export const PATH_ARGUMENT: ArgumentDefinition = {
  name: "path",
  description: "deployment directory or config file (default: the working directory)",
  completes: "file",
};

/** For commands whose arguments name something in a deployment. */
export const IN_OPTION: OptionDefinition = {
  name: "in",
  description: "deployment directory or config file (default: the working directory)",
  value: { name: "path", completes: "file" },
};
