import type { EnvEntry } from "../env-document.ts";
import { readEnvFile } from "../read.ts";
import type { ReaderName } from "../readers/reader.ts";
import { quotingsOf } from "../write/quotings.ts";
import { portableQuoting } from "../write/choose-quoting.ts";
import { isReadBack } from "../write/probe.ts";
import type { EnvRefusal } from "../write/refusal.ts";
import { commentOf, lineEndOf, removal, type Splice, spliced } from "./splice.ts";
import { EditCheck } from "./verify.ts";

export interface SetOptions {
  /** Who will read the file; this toolkit's own reader is always among them. */
  readonly readers: readonly ReaderName[];
}

/** The edited text, or why it was refused. */
export type SetResult =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly refusal: EnvRefusal };

/** Ways to put a form in the place of an entry, the one that touches least first. */
function layouts(text: string, entry: EnvEntry, form: string, eol: string): Splice[] {
  const comment = commentOf(text, entry);
  const { start, end } = entry.range;
  const written = entry.valueRange;
  const head = text.slice(start.offset, written.start.offset);
  const above = comment === "" ? "" : comment + eol;
  const whole = { start: start.offset, end: end.offset };
  return [
    { start: written.start.offset, end: written.end.offset, text: form },
    { ...whole, text: `${above}${head}${form}` },
    { ...whole, text: `${above}${entry.exported ? "export " : ""}${entry.key}=${form}` },
    { ...whole, text: `${above}${entry.key}=${form}` },
  ];
}

function appended(text: string, line: string, eol: string): string {
  const isOpen = text !== "" && text !== "\uFEFF" && !/[\r\n]$/.test(text);
  return `${text}${isOpen ? eol : ""}${line}${eol}`;
}

/** The text itself where it says already what it should. */
function unchanged(text: string, name: string, value: string): string[] {
  const [first, second] = readEnvFile(text).entries.filter((entry) => entry.key === name);
  return first?.value === value && second === undefined ? [text] : [];
}

/** Every text worth trying, in the order of preference. */
function candidates(text: string, name: string, forms: readonly string[]): string[] {
  const eol = lineEndOf(text);
  const written = forms.map((form) => form.replaceAll("\n", eol));
  const [first, ...later] = readEnvFile(text).entries.filter((entry) => entry.key === name);
  if (first === undefined) return written.map((form) => appended(text, `${name}=${form}`, eol));
  const removals = later.map((entry) => removal(text, entry));
  const perForm = written.map((form) => layouts(text, first, form, eol));
  const count = perForm[0]?.length ?? 0;
  // Layout by layout: a comment stays in its place when any form allows it.
  return Array.from({ length: count }, (_, layout) =>
    perForm.map((all) => spliced(text, [all[layout] as Splice, ...removals])),
  ).flat();
}

/**
 * Sets one value of an env file. The first entry of the name is replaced where it stands (`export`, quotes and values of
 * several lines included), later ones are removed, an absent one is appended. Comments, byte order mark, line ends and
 * every other byte stay. A comment behind the value moves above it only where a reader would take it for a part of it.
 * The result is what all readers read back; otherwise it is refused, naming reader and character.
 */
export function setEnvValue(text: string, name: string, value: string, options: SetOptions): SetResult {
  const readers = [...new Set<ReaderName>(["qm-deploy", ...options.readers])];
  const first = portableQuoting(name, value, readers);
  if (!first.ok) return first;
  const forms = [
    ...new Set([
      first.form,
      ...quotingsOf(value, readers).filter((form) => isReadBack(`${name}=${form}`, name, value, readers)),
    ]),
  ];
  const check = new EditCheck(text, name, readers);
  let failure: ReturnType<EditCheck["failure"]> = null;
  for (const edited of [...unchanged(text, name, value), ...candidates(text, name, forms)]) {
    failure = check.failure(edited, value);
    if (failure === null) return { ok: true, text: edited };
  }
  const reader = failure?.reader ?? null;
  const reason = `\`${name}\` cannot be set in this file for ${reader}: ${failure?.reason}`;
  return { ok: false, refusal: { name, reader, character: null, reason } };
}
