import { shownJson, type Shown } from "../base/shown.ts";
import { loadConfig } from "../config/load.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { inputsFromText, type TextSurroundings } from "../deployment/files.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { MAX_TEXT_BYTES, tooLargeProblem } from "../diagnostics/input-problem.ts";

/** A deployment as text: its config is an argument of its own, and here is what stands beside it. */
export interface TextOptions extends TextSurroundings {
  /** The name that reports show for the config; `qm.config.jsonc` where it is left out. */
  readonly file?: string | undefined;
}

/** A value as `--format json` prints it. */
export type Printed<T> = T extends Shown
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Printed<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Printed<T[Key]> }
      : T;

/** A deployment, or why its texts are not read. */
export type LoadedText = { readonly deployment: Deployment } | { readonly problem: Diagnostic };

/** Resolves a deployment from its texts. */
export function loadText(text: string, { file = "qm.config.jsonc", ...surroundings }: TextOptions): LoadedText {
  const env = surroundings.env ?? "";
  if (isTooLarge(text)) return { problem: tooLargeProblem(file) };
  if (isTooLarge(env)) return { problem: tooLargeProblem(".env") };
  const loaded = loadConfig({ file, text });
  return { deployment: resolveDeployment(inputsFromText(loaded, surroundings), loaded) };
}

function isTooLarge(text: string): boolean {
  return (
    text.length > MAX_TEXT_BYTES ||
    (3 * text.length > MAX_TEXT_BYTES && new TextEncoder().encode(text).length > MAX_TEXT_BYTES)
  );
}

/** A value as a program gets it: what may be secret is hidden. */
export function printed<T>(value: T): Printed<T> {
  return JSON.parse(shownJson(value).text) as Printed<T>;
}
