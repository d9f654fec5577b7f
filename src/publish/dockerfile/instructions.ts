import { heredocsOf } from "./heredoc.ts";

/** One instruction of a Dockerfile: continuation lines joined, comments inside left out, a heredoc's body not in it. */
export interface Instruction {
  readonly text: string;
  /** Indexes of its first and last physical line, from 0; a heredoc's body is not counted in. */
  readonly first: number;
  readonly last: number;
}

export type InstructionsReading =
  | { readonly ok: true; readonly lines: readonly Instruction[]; readonly escape: string }
  /** `line` is the physical line at fault, from 1; `reason` completes "line 3 …". */
  | { readonly ok: false; readonly line: number; readonly reason: string };

type Failure = Extract<InstructionsReading, { ok: false }>;

const DIRECTIVE = /^\s*#\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(\S.*)$/;
/** The directives that BuildKit knows; any other line ends them, also one that looks like a directive. */
const DIRECTIVES: ReadonlySet<string> = new Set(["syntax", "escape", "check"]);

function fail(at: number, reason: string): Failure {
  return { ok: false, line: at + 1, reason };
}

/** The physical lines of a Dockerfile without their ends; a byte order mark is no part of the first. */
function physicalLines(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((line) => line.replace(/\r+$/, ""));
}

/**
 * The instructions of a Dockerfile by the rules of BuildKit's parser, which builds it. They are not a parser library's
 * to decide: dockerfile-ast takes a line that ends in two escapes for continued and overlooks `3<<EOF`, and either hides
 * or invents a FROM.
 */
export function readInstructions(text: string): InstructionsReading {
  const physical = physicalLines(text);
  const escape = escapeOf(physical);
  if (typeof escape !== "string") return escape;
  const lines: Instruction[] = [];
  for (let at = 0; at < physical.length; at++) {
    if (isSkipped(physical[at] as string)) continue;
    const line = joined(physical, at, escape);
    if ("ok" in line) return line;
    lines.push(line);
    const end = skipHeredocs(physical, line);
    if (typeof end !== "number") return end;
    at = end;
  }
  return { ok: true, lines, escape };
}

function isSkipped(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

function escapeOf(physical: readonly string[]): string | Failure {
  const seen = new Set<string>();
  let escape = "\\";
  for (const [at, line] of physical.entries()) {
    const [, name = "", value = ""] = DIRECTIVE.exec(line) ?? [];
    const directive = name.toLowerCase();
    if (!DIRECTIVES.has(directive)) break;
    if (seen.has(directive)) return fail(at, `repeats the directive \`${directive}\``);
    seen.add(directive);
    if (directive !== "escape") continue;
    if (value.trimEnd() !== "\\" && value.trimEnd() !== "`")
      return fail(at, "sets `escape` to something else than `\\` and a backtick");
    escape = value.trimEnd();
  }
  return escape;
}

/** The instruction that starts at a physical line. A line is continued by one escape at its end, not by two. */
function joined(physical: readonly string[], first: number, escape: string): Instruction | Failure {
  const sign = escape === "\\" ? "\\\\" : escape;
  const continued = new RegExp(`(^|[^${sign}])${sign}[ \\t]*$`);
  const pieces: string[] = [];
  let line = (physical[first] as string).trimStart();
  for (let last = first; ; line = physical[last] as string) {
    if (!continued.test(line)) return { text: pieces.join("") + line, first, last };
    pieces.push(line.replace(continued, "$1"));
    do last++;
    while (last < physical.length && isSkipped(physical[last] as string));
    if (last >= physical.length) return fail(first, "starts an instruction whose last line is continued by nothing");
  }
}

/** The last line of the heredocs that an instruction opens, or of itself where it opens none. */
function skipHeredocs(physical: readonly string[], line: Instruction): number | Failure {
  const heredocs = heredocsOf(line.text);
  if (heredocs === null) return fail(line.first, "has `<<` and a quote that is not closed");
  let at = line.last;
  for (const { name, chomps } of heredocs) {
    const ends = (body: string): boolean => (chomps ? body.replace(/^\t+/, "") : body) === name;
    do at++;
    while (at < physical.length && !ends(physical[at] as string));
    if (at >= physical.length) return fail(line.first, `opens the heredoc \`${name}\`, which is not ended`);
  }
  return at;
}
