import type { HeadField } from "../../deployment/skill-head.ts";

/** How core reads something otherwise than YAML does, as a sentence, and what to do about it. */
export type Difference = readonly [message: string, help: string];

const AS_TEXT = "write plain text, or put `>` alone behind the colon and the text below it, indented";

/** A mark for text over lines. Core knows four of them, and only with nothing behind. */
const BLOCK_MARK = /^[>|](?:[+-]?[1-9]?|[1-9][+-])(?:\s+#.*|\s*)$/;

/** How core reads the value of a key otherwise than YAML does, or drops a part of it; null where it does neither. */
export function differenceOf(key: string, field: HeadField): Difference | null {
  const { value, rest, below } = field;
  if (typeof value !== "string") return rest === "" ? linesDifference(key, value, below) : flowDifference(key, rest);
  if (/^[>|]-?$/.test(rest)) return blockDifference(key, below);
  if (BLOCK_MARK.test(rest))
    return [
      `core takes \`${rest.split(/\s/, 1)[0]}\` and what is behind it for the text of \`${key}\`, and drops the lines below`,
      "write `>` or `|` there, with nothing behind it",
    ];
  if (below.some(isContent)) return [`core reads one line of \`${key}\`, and drops those below it`, AS_TEXT];
  return scalarDifference(key, rest);
}

/** True for a line that is neither blank nor a comment. */
function isContent(line: string): boolean {
  return /^\s*[^\s#]/.test(line);
}

/** A value on one line. */
function scalarDifference(key: string, rest: string): Difference | null {
  const text = rest.trim();
  const isQuoted = /^["']/.test(text);
  const quoted = (text.startsWith('"') ? /^"(?:[^"\\]|\\.)*"/ : /^'(?:[^']|'')*'/).exec(text)?.[0] ?? "";
  // A sign such as `#12` is a comment in YAML too, but seldom meant as one: core does what was meant.
  if (/(?:^|\s)#+(?:\s|$)/.test(isQuoted ? text.slice(quoted.length) : text))
    return [`core takes the comment behind \`${key}\` for a part of it`, "put the comment on a line of its own"];
  if (isQuoted) return quotesDifference(key, text, quoted);
  if (/^(?:~|null|Null|NULL)$/.test(text)) return [`core takes \`${text}\` for the text of \`${key}\``, AS_TEXT];
  if (/^(?:\{[^{}]*\}|\[[^[\]]*\]|(?:&\S+|!\S*)(?:\s.*)?)$/.test(text))
    return [`core takes \`${key}\` as it stands: it knows no maps, lists, anchors and tags there`, AS_TEXT];
  return null;
}

/** `quoted` is the part of the text that YAML takes for the quoted one; blank where the quotes are never closed. */
function quotesDifference(key: string, text: string, quoted: string): Difference | null {
  if (quoted !== text)
    return text.length > 1 && text.at(-1) === text[0]
      ? [`core takes the first and the last quote of \`${key}\` for a pair, and drops both`, AS_TEXT]
      : null;
  const escape = text.startsWith('"') ? "\\" : "''";
  return text.slice(1, -1).includes(escape)
    ? [`core keeps each \`${escape}\` of \`${key}\` as it stands: it knows no escapes`, AS_TEXT]
    : null;
}

/** Text below `>` or `|`. */
function blockDifference(key: string, below: readonly string[]): Difference | null {
  const end = below.findIndex((line) => /^\S/.test(line));
  const inside = (end < 0 ? below : below.slice(0, end)).filter((line) => line.trim() !== "");
  if (end >= 0 && below.slice(end).some(isContent))
    return [
      `core ends the text of \`${key}\` at a line that is not indented, and drops the rest`,
      "indent that line too",
    ];
  const depth = (inside[0] ?? "").search(/\S/);
  const isComment = (line: string) => line.trimStart().startsWith("#") && line.search(/\S/) < depth;
  return inside.some(isComment)
    ? [
        `core takes the comment below \`${key}\` for a part of it`,
        "begin the comment at the very beginning of its line",
      ]
    : null;
}

/** A list in lines, of which core read some items; text is not read there at all. */
function linesDifference(key: string, items: readonly string[], below: readonly string[]): Difference | null {
  const content = below.filter(isContent);
  const isList = content.length > 0 && /^\s*-(?:\s|$)/.test(content[0] as string);
  if (content.length > 0 && !isList) return [`core reads no text below \`${key}\``, "put `>` behind the colon"];
  if (items.length === 0 && isList)
    return [`core does not read the list below \`${key}\``, "indent each `- …` by two spaces, right below the key"];
  if (items.length < content.length) {
    const message = `core reads ${items.length} of the ${content.length} lines below \`${key}\`, and drops the others`;
    return [message, "write each item as `- …` on one line, without comments and blank lines between them"];
  }
  return firstOf(content.map((line) => itemDifference(key, line.replace(/^\s*-\s+/, ""))));
}

/** A list in brackets, which core divides at each comma. */
function flowDifference(key: string, rest: string): Difference | null {
  return firstOf(
    rest
      .slice(1, -1)
      .split(",")
      .map((item) => itemDifference(key, item)),
  );
}

function itemDifference(key: string, item: string): Difference | null {
  const isPlain = !/^["'[{&!-]|: /.test(item.trim()) || /^(["'])[^"'\\]*\1$/.test(item.trim());
  return isPlain
    ? scalarDifference(key, item)
    : [`core takes an item of \`${key}\` as it stands`, "write plain words, without quotes, commas and lists in them"];
}

function firstOf(all: readonly (Difference | null)[]): Difference | null {
  return all.find((each) => each !== null) ?? null;
}
