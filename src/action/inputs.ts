import { closestName } from "../base/closest-name.ts";
import { OPTIONS } from "../cli/command-definition.ts";
import { plainText, type Shown, shown } from "../base/shown.ts";

/** What a workflow asks for; null where it says nothing. */
export interface ActionInputs {
  /** Relative to the workspace; empty: `check`'s own choice. */
  readonly paths: readonly string[];
  readonly release: string | null;
  readonly target: string | null;
  readonly strict: boolean;
  readonly envFile: string | null;
  readonly renderCheck: boolean;
  /** A git revision, or {@link AUTO}. */
  readonly diffBase: string | null;
  readonly sarifFile: string | null;
}

/** The base that the event tells which the workflow runs for. */
export const AUTO = "auto";

/** An input that cannot be used; what is wrong is fit to be shown. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly shown: Shown;

  constructor(says: Shown) {
    super(says.text);
    this.shown = says;
  }
}

interface RunnerEnvironment {
  readonly [name: string]: string | undefined;
}

/** An input as the runner passes it on, without the blanks around it; what is not set is an empty text. */
function inputText(env: RunnerEnvironment, name: string): string {
  return (env[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] ?? "").trim();
}

function optional(env: RunnerEnvironment, name: string): string | null {
  return inputText(env, name) || null;
}

/** GitHub's own toolkit takes these spellings, and no other. */
const SWITCH: { readonly [text: string]: boolean } = {
  true: true,
  True: true,
  TRUE: true,
  false: false,
  False: false,
  FALSE: false,
  "": false,
};

function switched(env: RunnerEnvironment, name: string): boolean {
  const text = inputText(env, name);
  const value = Object.hasOwn(SWITCH, text) ? SWITCH[text] : undefined;
  if (value === undefined) throw new InputError(shown`the input \`${name}\` is neither true nor false`);
  return value;
}

function targetName(env: RunnerEnvironment): string | null {
  const target = optional(env, "target");
  const names = OPTIONS.target.value?.choices ?? [];
  if (target === null || names.includes(target)) return target;
  const near = closestName(target, names);
  throw new InputError(
    shown`the input \`target\` names no target: there are ${names.join(", ")}${near === null ? "" : ` (did you mean ${near}?)`}`,
  );
}

function pathList(env: RunnerEnvironment): readonly string[] {
  const paths = inputText(env, "path")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [wrong] = paths.filter((path) => path === "-" || path.includes("\0"));
  if (wrong !== undefined) throw new InputError(shown`the input \`path\` names no path: "${plainText(wrong)}"`);
  return paths;
}

/**
 * Reads the inputs of action.yml from the environment of a step.
 *
 * @throws {InputError}
 */
export function readActionInputs(env: RunnerEnvironment): ActionInputs {
  return {
    paths: pathList(env),
    release: optional(env, "release"),
    target: targetName(env),
    strict: switched(env, "strict"),
    envFile: optional(env, "env-file"),
    renderCheck: switched(env, "render-check"),
    diffBase: optional(env, "diff-base"),
    sarifFile: optional(env, "sarif-file"),
  };
}
