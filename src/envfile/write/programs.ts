import { type FileReader, versionsOf } from "../readers/index.ts";

/** Programs that read a file which this toolkit writes, each with quotes, escapes and comments of its own. */
export type Program = FileReader | "docker" | "dotenv" | "fly" | "node";

/** What a program takes `written` for, behind `name=` on lines of their own; null where it reads on, cuts it or gives up. */
export function readBack(program: Program, name: string, written: string): string | null {
  switch (program) {
    case "docker":
      return isTooLong(`${name}=${written}`) ? null : readByDocker(written);
    case "fly":
      return written.split("\n").some((line) => isTooLong(`${name}=${line}`)) ? null : readByFly(written);
    case "node":
      return readByNode(written);
    case "dotenv":
      return readByDotenv(written);
    default:
      return readFromFile(program, name, written);
  }
}

/** True for a line that Go's default `bufio.Scanner` refuses to return. */
function isTooLong(line: string): boolean {
  return line.length * 3 > 65_535 && new TextEncoder().encode(line).length > 65_535;
}

/** `docker run --env-file`: every character belongs to the value, but some builds take a pair of quotes off. */
function readByDocker(written: string): string | null {
  return /\n|\r$|^(["'])[^]*\1$/.test(written) ? null : written;
}

/** Node 20 to 24: no escapes but `\n` in double quotes, `#` cuts an unquoted value, every carriage return is dropped. */
function readByNode(written: string): string | null {
  if (written.includes("\r")) return null;
  const quote = /^["'`]/.exec(written)?.[0];
  if (quote === undefined) return /[\n#]|^[ \t]|[ \t]$/.test(written) ? null : written;
  if (written.indexOf(quote, 1) !== written.length - 1) return null;
  const inner = written.slice(1, -1);
  return quote === '"' ? inner.replaceAll("\\n", "\n") : inner;
}

/** dotenv 18: as Node, but for `\r` in double quotes, and a backslash before a quote, which then closes nothing. */
function readByDotenv(written: string): string | null {
  const isQuoted = /^["'`]/.test(written);
  if (isQuoted ? written.at(-2) === "\\" : written !== written.trim()) return null;
  const value = readByNode(written);
  return written.startsWith('"') ? (value?.replaceAll("\\r", "\r") ?? null) : value;
}

/** `fly secrets import`: no escapes, `"""` for values of several lines. */
function readByFly(written: string): string | null {
  if (/\r(?:\n|$)/.test(written)) return null;
  const lines = written.replace(/^ +/, "").split("\n");
  const first = lines[0] as string;
  const hash = first.indexOf("#");
  // A `#` begins a comment where the double quotes before it are even in number.
  if (hash !== -1 && first.slice(0, hash).split('"').length % 2 === 1) return null;
  if (lines.length === 1) {
    if (first.startsWith('"""')) return /^"""[^]*"""$/.test(first) ? first.slice(3, -3) : null;
    // flyctl crashes on a lone quote.
    if (first === '"' || first === "'") return null;
    return /^(["'])[^]*\1$/.test(first) ? first.slice(1, -1) : first;
  }
  const isClosed = lines.map((line, at) => line.slice(at === 0 ? 3 : 0).endsWith('"""'));
  if (!first.startsWith('"""') || isClosed.indexOf(true) !== lines.length - 1) return null;
  return lines.join("\n").slice(3, -3);
}

/** One of each quote, where no reader minds them: an opening quote that is taken for text must not find its like later. */
const LONE_QUOTES = `# '\n# "\n# \`\n`;

/** What every version of a reader takes the value for, and nothing else, between two other assignments. */
function readFromFile(reader: FileReader, name: string, written: string): string | null {
  const text = `${name}_1=1\n${name}=${written}\n${LONE_QUOTES}${name}_2=2\n`;
  const values = versionsOf(reader).map((read) => {
    const result = read(text);
    const isAlone = result.ok && result.values.size === 3;
    if (!isAlone || result.values.get(`${name}_1`) !== "1" || result.values.get(`${name}_2`) !== "2") return null;
    return result.values.get(name) ?? null;
  });
  return values.every((value) => value === values[0]) ? (values[0] ?? null) : null;
}
