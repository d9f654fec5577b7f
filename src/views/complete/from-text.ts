import { loadText, type TextOptions } from "../loaded-text.ts";
import { type Completion, completeConfig, completeEnv } from "./completion.ts";

/**
 * What may stand at an offset of the config (UTF-16 units), be it whole or half written, with what writing it there changes; none in
 * comments, where everything is allowed, and at an offset that the text does not have.
 *
 * @example
 * ```ts
 * console.log(completeTextAt('{ "target": "" }', 13).map(({ name }) => name)); // ["docker", "fly", "aws"]
 * ```
 */
export function completeTextAt(text: string, offset: number, options: TextOptions = {}): readonly Completion[] {
  const loaded = loadText(text, options);
  return "problem" in loaded || !isWithin(text, offset) ? [] : completeConfig(text, loaded.deployment, offset);
}

/** The names of secrets that may stand at an offset of `options.env`: those that it lacks, at the beginning of a line. */
export function completeEnvTextAt(text: string, offset: number, options: TextOptions = {}): readonly Completion[] {
  const loaded = loadText(text, options);
  const env = options.env ?? "";
  return "problem" in loaded || !isWithin(env, offset) ? [] : completeEnv(env, loaded.deployment, offset);
}

function isWithin(text: string, offset: number): boolean {
  return Number.isInteger(offset) && offset >= 0 && offset <= text.length;
}
