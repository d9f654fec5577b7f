import type { ReaderName } from "../readers/reader.ts";
import { quotingsOf, isPlainValue, shellQuoted } from "./quotings.ts";
import { isReadBack } from "./probe.ts";
import { type EnvRefusal, refusalOf, unfit } from "./refusal.ts";

/** A value as it is written, or why it cannot be. */
export type Form = { readonly ok: true; readonly form: string } | { readonly ok: false; readonly refusal: EnvRefusal };

function firstForm(
  name: string,
  value: string,
  readers: readonly ReaderName[],
  forms: readonly string[],
): string | undefined {
  return forms.find((form) => isReadBack(`${name}=${form}`, name, value, readers));
}

function found(
  name: string,
  value: string,
  readers: readonly ReaderName[],
  formsFor: (value: string) => readonly string[],
): Form {
  const refusal = unfit(name, value);
  if (refusal !== null) return { ok: false, refusal };
  const form = firstForm(name, value, readers, formsFor(value));
  if (form !== undefined) return { ok: true, form };
  const fits = (other: string, some: readonly ReaderName[]): boolean =>
    firstForm(name, other, some, formsFor(other)) !== undefined;
  return { ok: false, refusal: refusalOf(name, value, readers, fits) };
}

/** The form of a value that all `readers` read alike, in all their versions; else which reader and character forbid it. */
export function portableQuoting(name: string, value: string, readers: readonly ReaderName[]): Form {
  // A shell has names of its own, so that it is always asked.
  if (isPlainValue(value) && !readers.includes("shell") && unfit(name, value) === null && name.length < 1000)
    return { ok: true, form: value };
  return found(name, value, readers, (other) => quotingsOf(other, readers));
}

/** The one form for a file that shells source: always in single quotes, so that nothing in it is ever expanded. */
export function shellQuoting(name: string, value: string, readers: readonly ReaderName[]): Form {
  return found(name, value, readers, (other) => [shellQuoted(other)]);
}
