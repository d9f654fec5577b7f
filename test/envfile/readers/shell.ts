import { givesUp, type ReadResult } from "../../../src/envfile/readers/reader.ts";

const ASSIGNMENT = /(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)=/y;
/** Characters that a shell takes as they are outside quotes, inside an assignment. */
const PLAIN = /[A-Za-z0-9_./@%+,=:^\-\]}]/;

/** Variables that bash computes or guards itself: an assignment fails or does not stay. */
const SHELL_OWN = new Set(
  (
    "_ BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_LINENO BASH_SOURCE BASH_SUBSHELL " +
    "BASH_VERSINFO COMP_WORDBREAKS DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD LINENO PPID RANDOM SECONDS " +
    "SHELLOPTS SRANDOM UID OPTIND"
  ).split(" "),
);

interface Word {
  readonly value: string;
  readonly end: number;
}

/** Reads a double-quoted piece; null where something in it is computed or it never ends. */
function doubleQuoted(text: string, open: number): Word | null {
  let value = "";
  for (let at = open + 1; at < text.length; at++) {
    const unit = text[at] as string;
    if (unit === '"') return { value, end: at + 1 };
    if (unit === "$" || unit === "`") return null;
    if (unit !== "\\") value += unit;
    else {
      at++;
      const next = text[at] ?? "";
      if (next !== "\n") value += '$`"\\'.includes(next) ? next : `\\${next}`;
    }
  }
  return null;
}

function piece(text: string, at: number): Word | null {
  const unit = text[at] as string;
  if (unit === '"') return doubleQuoted(text, at);
  if (unit === "'") {
    const close = text.indexOf("'", at + 1);
    return close === -1 ? null : { value: text.slice(at + 1, close), end: close + 1 };
  }
  if (unit === "\\")
    return text[at + 1] === undefined
      ? null
      : { value: text[at + 1] === "\n" ? "" : (text[at + 1] as string), end: at + 2 };
  return PLAIN.test(unit) || unit > "\x7f" ? { value: unit, end: at + 1 } : null;
}

function word(text: string, from: number): Word | null {
  let value = "";
  let at = from;
  while (at < text.length && !/[ \t\n]/.test(text[at] as string)) {
    const next = piece(text, at);
    if (next === null) return null;
    value += next.value;
    at = next.end;
  }
  return { value, end: at };
}

/** A POSIX shell that sources the file, as far as the file holds nothing but literal assignments; gives up at anything else. */
export function readAsShell(text: string): ReadResult {
  const values = new Map<string, string>();
  for (let at = 0; at < text.length;) {
    const unit = text[at] as string;
    if (unit === " " || unit === "\t" || unit === "\n") {
      at++;
      continue;
    }
    if (unit === "#") {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end;
      continue;
    }
    ASSIGNMENT.lastIndex = at;
    const match = ASSIGNMENT.exec(text);
    if (match === null) return givesUp(text, at, "the line is no assignment");
    const key = match[1] as string;
    if (SHELL_OWN.has(key)) return givesUp(text, at, "the shell sets this name itself");
    const start = at + match[0].length;
    const found = word(text, start);
    // `~` at the start is a home directory; `~` and a tilde behind `:` are no plain characters either.
    if (found === null) return givesUp(text, start, "the value is not one literal word");
    let end = found.end;
    while (text[end] === " " || text[end] === "\t") end++;
    if (text[end] !== undefined && text[end] !== "\n" && !(text[end] === "#" && end > found.end)) {
      return givesUp(text, end, "the line holds more than an assignment");
    }
    values.set(key, found.value);
    at = end;
  }
  return { ok: true, values };
}
