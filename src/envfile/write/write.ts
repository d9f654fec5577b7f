import type { ReaderName } from "../readers/reader.ts";
import { type DialectName, DIALECTS } from "./dialect.ts";
import { type Form, portableQuoting, shellQuoting } from "./choose-quoting.ts";
import type { EnvRefusal } from "./refusal.ts";

/** A name and the value that every reader of the file must get. */
export interface EnvPair {
  readonly name: string;
  readonly value: string;
}

export interface WriteOptions {
  /** Comment lines at the top, without `#`; any line ends. */
  readonly header?: string;
  /** Readers beyond those of the dialect that must read each value the same. */
  readonly portable?: readonly ReaderName[];
}

/** The text of an env file, or every name that could not be written and why. */
export type WrittenEnv =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly refusals: readonly EnvRefusal[] };

function headerLines(header: string | undefined): string[] {
  if (header === undefined || header === "") return [];
  return header.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => (line.trim() === "" ? "#" : `# ${line.trimEnd()}`));
}

/**
 * Writes entries in their order, one by one, LF line ends. A value is quoted only as its readers need it. Values that
 * the dialect cannot carry unharmed are refused by name: nothing is ever cut, replaced or left out.
 */
export function writeEnv(dialect: DialectName, entries: readonly EnvPair[], options: WriteOptions = {}): WrittenEnv {
  const { readers: own, prefix } = DIALECTS[dialect];
  const readers = [...new Set([...own, ...(options.portable ?? [])])];
  const formOf = dialect === "shell" ? shellQuoting : portableQuoting;
  const lines = headerLines(options.header);
  const refusals: EnvRefusal[] = [];
  const seen = new Set<string>();
  for (const { name, value } of entries) {
    const form: Form = seen.has(name)
      ? { ok: false, refusal: { name, reader: null, character: null, reason: `\`${name}\` is given twice` } }
      : formOf(name, value, readers);
    seen.add(name);
    if (form.ok) lines.push(`${prefix}${name}=${form.form}`);
    else refusals.push(form.refusal);
  }
  if (refusals.length > 0) return { ok: false, refusals };
  return { ok: true, text: lines.map((line) => `${line}\n`).join("") };
}
