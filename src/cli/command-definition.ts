import { RELEASE_VERSIONS } from "./catalog-names.generated.ts";
import type { ProcessIo } from "./process-io.ts";

/** A value that an option takes. */
export interface OptionValue {
  /** As help shows it: `<name>`. */
  readonly name: string;
  readonly choices?: readonly string[];
  /** Offered by shells like choices, where the command judges the value itself, with help of its own. */
  readonly suggests?: readonly string[];
  /** What the option means without `=value`; such an option takes its value only after `=`. */
  readonly preset?: string;
  /** What a shell completes. */
  readonly completes?: "file";
}

export interface OptionDefinition {
  /** Without dashes: `env-file`. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  readonly description: string;
  readonly value?: OptionValue;
}

export interface ArgumentDefinition {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly many?: boolean;
  readonly choices?: readonly string[];
  /** As {@link OptionValue.suggests}. */
  readonly suggests?: readonly string[];
  /** What a shell completes: a file, a field of `env` that qm reads, or a word that the field before it takes. */
  readonly completes?: "file" | "directory" | "setting" | "setting-value";
}

/** A command as help, completion and parsing see it. Its implementation is loaded when it is called, not before. */
export interface CommandDefinition {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** More lines of help, below the summary. */
  readonly description?: string;
  readonly args?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  /** More words than there are arguments, also those that begin with `-`, are left to the command to refuse: one may be a secret that must not be repeated. */
  readonly judgesWords?: true;
  readonly examples?: readonly (readonly [command: string, purpose: string])[];
  readonly commands?: readonly CommandDefinition[];
  readonly load?: () => Promise<Run>;
}

/** One call of a command, parsed. */
export interface Invocation {
  readonly io: ProcessIo;
  readonly args: readonly string[];
  /** By the option's name without dashes; true for an option that takes no value. */
  readonly options: { readonly [name: string]: string | true | undefined };
  /** The command that is called, and all that there are. */
  readonly command: CommandDefinition;
  readonly commands: readonly CommandDefinition[];
}

/** The implementation of a command. Resolves to the exit status. */
export type Run = (invocation: Invocation) => Promise<number>;

/** The text of an option, or undefined where it was not given. */
export function textOption(invocation: Invocation, name: string): string | undefined {
  const value = invocation.options[name];
  return typeof value === "string" ? value : undefined;
}

/** True when an option without a value was given. */
export function hasOption(invocation: Invocation, name: string): boolean {
  return invocation.options[name] === true;
}

/** True with `--format json`. */
export function wantsJson(invocation: Invocation): boolean {
  return textOption(invocation, "format") === "json";
}

/** An option that takes a value. */
export function valueOption(
  name: string,
  value: string,
  description: string,
  more: Omit<OptionValue, "name"> = {},
): OptionDefinition {
  return { name, description, value: { name: value, ...more } };
}

const WHICH_DEPLOYMENT = "deployment directory or config file (default: the nearest at or above the working directory)";
const FILE = { completes: "file" } as const;

/** Options that mean the same in every command that has them. */
export const OPTIONS = {
  release: valueOption("release", "version", "judge by this release of qm instead of the pinned one", {
    suggests: RELEASE_VERSIONS,
  }),
  target: valueOption("target", "name", "hosting target, instead of the one in the config", {
    choices: ["docker", "fly", "aws"],
  }),
  envFile: {
    ...valueOption("env-file", "file", "judge this env file instead of the `.env` beside the config", FILE),
    // Node reads what `--env-file` names before we do, so that only the short form can take a pipe.
    short: "e",
  },
  resolve: {
    name: "resolve",
    description:
      "read references in the env file (op://, ARNs, ref+, SOPS, dotenvx) by their own tools: docs/secrets.md",
  },
  format: valueOption("format", "name", "how to print (default: pretty)", { choices: ["pretty", "json"] }),
  ifPresent: { name: "if-present", description: "pass where there is no deployment at all, as a commit hook must" },
  quiet: { name: "quiet", short: "q", description: "show only what fails the run, and the last lines" },
  all: { name: "all", description: "show every finding in full: nothing summed up, infos with their help" },
  /** For commands whose arguments name something in a deployment. */
  in: valueOption("in", "path", WHICH_DEPLOYMENT, FILE),
};

/** For commands that report on every deployment that they are given. */
export const PATHS_ARGUMENT: ArgumentDefinition = {
  name: "path",
  description: "directory, config file, or - for stdin",
  many: true,
  completes: "file",
};

export const PATH_ARGUMENT: ArgumentDefinition = { name: "path", description: WHICH_DEPLOYMENT, completes: "file" };
