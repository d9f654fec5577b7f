/** A name in a text. */
export interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The name that a line of an env file assigns to, where an offset is on it; null everywhere else, on values above all. */
export function envNameAt(text: string, offset: number): NamePlace | null {
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  const match = /^([ \t]*(?:export[ \t]+)?)([A-Za-z_]\w*)[ \t]*=/.exec(text.slice(line).split("\n", 1)[0] as string);
  if (match === null) return null;
  const [, before = "", name = ""] = match;
  const start = line + before.length;
  const end = start + name.length;
  return start <= offset && offset <= end ? { name, start, end } : null;
}
