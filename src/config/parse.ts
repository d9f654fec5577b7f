import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { LineIndex, type SourceFile } from "../diagnostics/source.ts";
import type { ConfigDocument } from "./document.ts";
import { ParsedDocument } from "./parsed-document.ts";
import type { ConfigNode } from "./node.ts";
import { checkKeys } from "./syntax/keys.ts";
import { Problems } from "./syntax/problems.ts";
import { firstLoneSurrogate } from "./syntax/string.ts";
import { TreeReader } from "./syntax/tree.ts";

/** Longest text that is read, in UTF-16 units. */
export const LONGEST_TEXT = 1024 * 1024;

/**
 * Parses JSONC (comments, trailing commas, an optional byte order mark). Never throws for a bad text: what is wrong
 * is in `diagnostics`, each with its range, and what can be understood is in the tree all the same.
 */
export function parseDocument(source: SourceFile): ConfigDocument {
  const { text } = source;
  const lines = new LineIndex(text);
  const problems = new Problems();
  const root = readable(text, problems) ? readTree(text, lines, problems) : null;
  const diagnostics = problems.all().map((problem): Diagnostic => ({
    rule: problem.rule,
    clause: "config.v1",
    severity: "error",
    message: problem.message,
    help: problem.help,
    command: null,
    file: source.file,
    range: lines.range(problem.start, problem.end),
    fix: null,
  }));
  return new ParsedDocument(source, lines, root, diagnostics, problems.broken);
}

function readable(text: string, problems: Problems): boolean {
  const start = { start: 0, end: 0 };
  if (text.length > LONGEST_TEXT) {
    problems.report(
      "syntax/size",
      start,
      "the file is larger than 1 MiB",
      "a deployment's configuration is a few kilobytes: move data elsewhere",
    );
    return false;
  }
  // UTF-16 or UTF-32 text that was decoded as UTF-8: every second unit of it is NUL, its byte order mark two replacement characters.
  const nul = text.slice(0, 4).indexOf("\0");
  if (nul >= 0 || text.startsWith("\ufffd\ufffd")) {
    const at = Math.max(nul, 0);
    problems.report(
      "syntax/encoding",
      { start: at, end: at + 1 },
      "the file is not UTF-8 text (it looks like UTF-16, UTF-32 or binary)",
      "save it as UTF-8",
    );
    return false;
  }
  return true;
}

function readTree(text: string, lines: LineIndex, problems: Problems): ConfigNode | null {
  const surrogate = firstLoneSurrogate(text);
  if (surrogate >= 0) {
    problems.note(
      "syntax/lone-surrogate",
      { start: surrogate, end: surrogate + 1 },
      "the text holds one half of a surrogate pair, which no file or variable can carry",
      "delete it",
    );
  }
  const root = new TreeReader(text, problems).read();
  if (root === null) problems.broken = true;
  else if (root.kind !== "object") {
    problems.broken = true;
    problems.note(
      "syntax/root",
      { start: root.start, end: root.kind === "array" ? root.start + 1 : root.end },
      "the document is not an object",
      'put everything into one object: `{ "contract": 1, … }`',
    );
  }
  if (root !== null) checkKeys(root, lines, problems);
  return root;
}
