import { afterLineBreak, applySplices, lineBreakOf, type Splice } from "../base/text-edit.ts";
import type { EnvEntry } from "./env-document.ts";
import { readEnvFile } from "./read.ts";
import { type FileReader, versionsOf } from "./readers/index.ts";
import { type EnvRefusal, portableQuoting, portableQuotings } from "./write/quoting.ts";

/** The edited text, or why it was refused. */
export type SetResult =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly refusal: EnvRefusal };

/**
 * Sets one value of an env file that `readers` read, this toolkit's own among them. The first entry of the name is
 * replaced where it stands (`export`, quotes and values of several lines included), later ones are removed, an absent one
 * is appended. Comments, byte order mark, line ends and every other byte stay. A comment behind the value moves above it
 * only where a reader would take it for a part of it. The result is what all readers read back; otherwise it is refused,
 * naming reader and character.
 */
export function setEnvValue(text: string, name: string, value: string, readers: readonly FileReader[]): SetResult {
  const all = [...new Set<FileReader>(["qm-deploy", ...readers])];
  const quoting = portableQuoting(name, value, all);
  if (!quoting.ok) return quoting;
  const harm = harmFinder(text, name, value, all);
  let found: Harm | null = null;
  for (const edited of candidates(text, name, value, all)) {
    found = harm(edited);
    if (found === null) return { ok: true, text: edited };
  }
  const reader = found?.reader ?? null;
  const reason = `\`${name}\` cannot be set in this file for ${reader}: ${found?.reason}`;
  return { ok: false, refusal: { name, reader, character: null, reason } };
}

/** Every text worth trying, in the order of preference. */
function candidates(text: string, name: string, value: string, readers: readonly FileReader[]): string[] {
  const lineBreak = lineBreakOf(text);
  const written = portableQuotings(name, value, readers).map((each) => each.replaceAll("\n", lineBreak));
  const [first, ...later] = readEnvFile(text).entries.filter((entry) => entry.key === name);
  if (first === undefined) {
    const isOpen = text !== "" && text !== "\uFEFF" && !/[\r\n]$/.test(text);
    return written.map((each) => `${text}${isOpen ? lineBreak : ""}${name}=${each}${lineBreak}`);
  }
  const unchanged = first.value === value && later.length === 0 ? [text] : [];
  const removals = later.map((entry) => removal(text, entry));
  // Layout by layout: a comment stays in its place when any quoting allows it.
  const changed = layouts(text, first, lineBreak).flatMap((layout) =>
    written.map((each) => applySplices(text, [layout(each), ...removals])),
  );
  return [...unchanged, ...changed];
}

/** Ways to put a written value in the place of an entry, the one that touches least first. */
function layouts(text: string, entry: EnvEntry, lineBreak: string): readonly ((written: string) => Splice)[] {
  const comment = commentOf(text, entry);
  const above = comment === "" ? "" : comment + lineBreak;
  const start = entry.range.start.offset;
  const end = entry.range.end.offset;
  const value = { start: entry.valueRange.start.offset, end: entry.valueRange.end.offset };
  const head = text.slice(start, value.start);
  return [
    (written) => ({ ...value, text: written }),
    (written) => ({ start, end, text: `${above}${head}${written}` }),
    (written) => ({ start, end, text: `${above}${entry.exported ? "export " : ""}${entry.key}=${written}` }),
  ];
}

/** Takes the lines of an entry out; a comment behind its value stays, on a line of its own. */
function removal(text: string, entry: EnvEntry): Splice {
  const comment = commentOf(text, entry);
  const end = entry.range.end.offset;
  return { start: entry.range.start.offset, end: comment === "" ? afterLineBreak(text, end) : end, text: comment };
}

/** The comment behind an entry's value, or an empty string. */
function commentOf(text: string, { commentRange: range }: EnvEntry): string {
  return range === null ? "" : text.slice(range.start.offset, range.end.offset);
}

interface Harm {
  readonly reader: FileReader;
  readonly reason: string;
}

/**
 * Reads the text as all readers do before the edit. The answer tells of an edited text which reader would not find `value`
 * in it, or another value of the file changed; null where all is well.
 */
function harmFinder(
  text: string,
  name: string,
  value: string,
  readers: readonly FileReader[],
): (edited: string) => Harm | null {
  const others = [...readEnvFile(text).values].filter(([other]) => other !== name);
  const baselines = readers.flatMap((reader) =>
    versionsOf(reader).map((read) => ({ reader, read, before: read(text) })),
  );
  return (edited) => {
    for (const { reader, read, before } of baselines) {
      const after = read(edited);
      if (!after.ok) return { reader, reason: `it gives up at line ${after.line}: ${after.reason}` };
      if (after.values.get(name) !== value) return { reader, reason: "it would read another value" };
      // Each must be what it was for this reader, or have become what the file means.
      const isHarmed = others.some(([other, meant]) => {
        const now = after.values.get(other);
        return now !== meant && before.ok && now !== before.values.get(other);
      });
      if (isHarmed) return { reader, reason: "it would read other entries differently" };
    }
    return null;
  };
}
