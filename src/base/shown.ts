import { printable, printableJson } from "./printable.ts";
import { redactKeys, redactText } from "./redact.ts";
import { ours, Shown } from "./shown-text.ts";

export { ours, Shown };

/** What a line is made of: a string is a stranger's, a {@link Shown} was judged before. */
export type Piece = Shown | string | number;

/** Text of a user that was judged before, by more than the text tells: printable, and not masked any more. */
export function judged(text: string): Shown {
  return new Shown(printable(text), text);
}

/** A file name, an id, a digest: printable, and hidden only where it has the form of a provider's key. */
export function plainText(text: string): Shown {
  return judged(redactKeys(text));
}

/** What a stranger wrote: masked, and on one line whatever it holds. */
export function foreign(piece: Piece): Shown {
  return piece instanceof Shown ? piece : judged(redactText(String(piece)));
}

/** Text of our own with pieces in it: shown`set ${name} in ${plainText(file)}`. */
export function shown(own: TemplateStringsArray, ...pieces: readonly Piece[]): Shown {
  let text = own[0] as string;
  for (const [at, piece] of pieces.entries()) text += foreign(piece).text + (own[at + 1] as string);
  return ours(text);
}

/** Texts one after the other. */
export function joined(parts: readonly Piece[], between: Piece = ""): Shown {
  return ours(parts.map((part) => foreign(part).text).join(foreign(between).text));
}

/** Lines, each with its end. */
export function lines(all: readonly Piece[]): Shown {
  return ours(all.map((line) => `${foreign(line).text}\n`).join(""));
}

/** A part of a JSON object that is not masked: what was asked for to the letter, by a program that goes on with it. */
class Exact {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  toJSON(): unknown {
    return this.#value;
  }
}

/** A value that {@link shownJson} leaves as it is, keys included. */
export function exactly(value: unknown): Exact {
  return new Exact(value);
}

/** Fields whose value names a file. */
const FILE_FIELDS: ReadonlySet<string> = new Set(["config", "file", "directory", "named"]);

function masked(value: unknown, field: string): unknown {
  if (typeof value === "string") return FILE_FIELDS.has(field) ? redactKeys(value) : redactText(value);
  if (value === null || typeof value !== "object" || value instanceof Shown || value instanceof Exact) return value;
  if (Array.isArray(value)) return value.map((item) => masked(item, field));
  const copy: { [key: string]: unknown } = Object.create(null);
  for (const [key, child] of Object.entries(value)) copy[redactText(key)] = masked(child, key);
  return copy;
}

/** A value as JSON in which every string and key is masked, but for what was judged before or is wanted exactly. */
export function shownJson(value: unknown): Shown {
  return ours(printableJson(JSON.stringify(masked(value, ""), null, 2)));
}
