import { parseJson } from "./json.ts";

/** One instruction of a Dockerfile: continuation lines joined, comments inside left out, a heredoc's body not in it. */
export interface Instruction {
  readonly text: string;
  /** Indexes of its first and last physical line, from 0; a heredoc's body is not counted in. */
  readonly first: number;
  readonly last: number;
}

/** A Dockerfile that BuildKit refuses too. The message begins with the line: "line 3 …". */
export class DockerfileError extends Error {
  override readonly name = "DockerfileError";

  /** `index` is that of the physical line, from 0. */
  constructor(index: number, problem: string) {
    super(`line ${index + 1} ${problem}`);
  }
}

const DIRECTIVE = /^\s*#\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(\S.*)$/;
/** The directives that BuildKit knows; any other line ends them, also one that looks like a directive. */
const DIRECTIVES: ReadonlySet<string> = new Set(["syntax", "escape", "check"]);
const SKIPPED = /^\s*(?:#|$)/;

/**
 * The instructions of a Dockerfile by the rules of BuildKit's parser, which builds it. They are not a parser library's
 * to decide: dockerfile-ast takes a line that ends in two escapes for continued and overlooks `3<<EOF`, and either hides
 * or invents a FROM.
 *
 * @throws {DockerfileError}
 */
export function readInstructions(text: string): { readonly lines: readonly Instruction[]; readonly escape: string } {
  // A byte order mark is no part of the first line.
  const physical = text.replace(/^\uFEFF/, "").split("\n");
  for (const [at, line] of physical.entries()) physical[at] = line.replace(/\r+$/, "");
  const escape = readEscape(physical);
  const lines: Instruction[] = [];
  for (let at = 0; at < physical.length; at++) {
    if (SKIPPED.test(physical[at] as string)) continue;
    const line = joinContinued(physical, at, escape);
    lines.push(line);
    at = lastHeredocLine(physical, line);
  }
  return { lines, escape };
}

function readEscape(physical: readonly string[]): string {
  const seen = new Set<string>();
  let escape = "\\";
  for (const [at, line] of physical.entries()) {
    const [, name = "", value = ""] = DIRECTIVE.exec(line) ?? [];
    const directive = name.toLowerCase();
    if (!DIRECTIVES.has(directive)) break;
    if (seen.has(directive)) throw new DockerfileError(at, `repeats the directive \`${directive}\``);
    seen.add(directive);
    if (directive !== "escape") continue;
    escape = value.trimEnd();
    if (escape !== "\\" && escape !== "`")
      throw new DockerfileError(at, `sets \`escape\` to something else than \`\\\` and a backtick`);
  }
  return escape;
}

/** The instruction that starts at a physical line. A line is continued by one escape at its end, not by two. */
function joinContinued(physical: readonly string[], first: number, escape: string): Instruction {
  const sign = escape === "\\" ? "\\\\" : escape;
  const continued = new RegExp(`(^|[^${sign}])${sign}[ \\t]*$`);
  const pieces: string[] = [];
  let line = (physical[first] as string).trimStart();
  for (let last = first; ; line = physical[last] as string) {
    if (!continued.test(line)) return { text: pieces.join("") + line, first, last };
    pieces.push(line.replace(continued, "$1"));
    do last++;
    while (last < physical.length && SKIPPED.test(physical[last] as string));
    if (last >= physical.length)
      throw new DockerfileError(first, `starts an instruction whose last line is continued by nothing`);
  }
}

/** The last line of the heredocs that an instruction opens, or of itself where it opens none. */
function lastHeredocLine(physical: readonly string[], { text, first, last }: Instruction): number {
  const heredocs = heredocsOf(text);
  if (heredocs === null) throw new DockerfileError(first, `has \`<<\` and a quote that is not closed`);
  let at = last;
  for (const { name, chomps } of heredocs) {
    const ends = (body: string): boolean => (chomps ? body.replace(/^\t+/, "") : body) === name;
    do at++;
    while (at < physical.length && !ends(physical[at] as string));
    if (at >= physical.length) throw new DockerfileError(first, `opens the heredoc \`${name}\`, which is not ended`);
  }
  return at;
}

/** A heredoc that an instruction opens. */
interface Heredoc {
  /** The line that ends it, quotes taken off. */
  readonly name: string;
  /** `<<-`: tabs before the ending line do not count. */
  readonly chomps: boolean;
}

const WORD = /(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|[^\s"'\\])+/g;
const OPENING = /^\d*<<(-?)([^<]+)$/;
/** A URL, or what git takes for a place on another host: `user@host:path`. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|git@|[^@/\s]+@[^:/\s]+:)/i;
/** At the start of what an instruction is given. */
const FLAGS = /^(?:--\S+\s+)*/;
const TAKES_HEREDOCS = /^(?:RUN|COPY|ADD)$/i;

/**
 * The heredocs that an instruction opens, in their order, as BuildKit reads them: a word of its own that starts with
 * `<<`, perhaps behind a file descriptor (`3<<EOF`), in RUN, COPY and ADD outside of their JSON form, also behind
 * ONBUILD. Null where an unclosed quote makes it doubtful.
 */
export function heredocsOf(instruction: string): readonly Heredoc[] | null {
  if (!instruction.includes("<<")) return [];
  const [, keyword = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(instruction) ?? [];
  if (/^ONBUILD$/i.test(keyword)) return heredocsOf(rest);
  if (!TAKES_HEREDOCS.test(keyword) || jsonWords(rest) !== null) return [];
  if (/["'\\]/.test(rest.replace(WORD, ""))) return null;
  return (rest.match(WORD) ?? []).flatMap((word) => {
    const [, dash, ending = ""] = OPENING.exec(word) ?? [];
    return ending === "" ? [] : [{ name: unquoted(ending), chomps: dash === "-" }];
  });
}

/** The words of an instruction in JSON form, flags taken off; null for any other. */
function jsonWords(rest: string): readonly string[] | null {
  const value = parseJson(rest.replace(FLAGS, ""));
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null;
}

/**
 * What COPY and ADD take from the build context, as written. Not from there are other stages, heredocs and addresses, which BuildKit
 * takes for such by their form.
 *
 * @throws {DockerfileError}
 */
export function copiedSources(text: string): readonly string[] {
  return readInstructions(text).lines.flatMap(({ text: line }) => {
    const [, rest] = /^(?:ONBUILD\s+)?(?:COPY|ADD)\s+([\s\S]*)$/i.exec(line) ?? [];
    if (rest === undefined || /(?:^|\s)--from=/i.test(FLAGS.exec(rest)?.[0] ?? "")) return [];
    const words = jsonWords(rest) ?? rest.replace(FLAGS, "").match(WORD) ?? [];
    return words.slice(0, -1).filter((word) => !OPENING.test(word) && !ADDRESS.test(word));
  });
}

function unquoted(word: string): string {
  return word.replace(
    /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|\\([\s\S])/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "",
  );
}
