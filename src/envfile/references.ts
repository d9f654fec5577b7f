import { findUnseen } from "../base/unseen.ts";
import { type EnvDocument, type EnvEntry, type EnvProblem, envProblem } from "./env-document.ts";
import { CONTROL } from "./read.ts";

/** What the operator's own tool gave for a reference or a ciphertext: the value, or why there is none. */
export type ReferenceReading =
  | { readonly value: string }
  /** `problem` completes "`NAME` …" and holds nothing of a value. */
  | { readonly problem: string; readonly help: string };

/** A document with the values that were read in the place of what only stood for them, so that they are judged and handed on like written ones. */
export function withReadings(document: EnvDocument, readings: ReadonlyMap<string, ReferenceReading>): EnvDocument {
  if (readings.size === 0) return document;
  const values = new Map(document.values);
  const problems: EnvProblem[] = [...document.problems];
  // Of a name that stands twice the last entry counts.
  const last = new Map(document.entries.map((entry) => [entry.key, entry]));
  const entries = document.entries.map((entry): EnvEntry => {
    const reading = readings.get(entry.key);
    if (reading === undefined || "problem" in reading || last.get(entry.key) !== entry) return entry;
    values.set(entry.key, reading.value);
    problems.push(...problemsOf(entry, reading.value));
    return { ...entry, value: reading.value, reference: entry.value };
  });
  return { entries, problems, values };
}

/** What is wrong with a value wherever it comes from. */
function problemsOf({ key, valueRange }: EnvEntry, value: string): EnvProblem[] {
  if (CONTROL.test(value)) return [envProblem("control-character", key, valueRange)];
  const unseen = findUnseen(value, true);
  return unseen === null ? [] : [envProblem("invisible-character", key, valueRange, unseen.what)];
}
