import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { LineIndex, type SourceFile } from "../diagnostics/source.ts";
import { ConfigDocument } from "./document.ts";
import { COMMENT_KEY, type ConfigNode, type Member } from "./node.ts";
import { Problems } from "./syntax/problems.ts";
import { TreeReader } from "./syntax/tree-reader.ts";

/** Longest text that is read, in UTF-16 units. */
export const LONGEST_TEXT = 1024 * 1024;

/**
 * Parses JSONC (comments, trailing commas, an optional byte order mark). Never throws for a bad text: what is wrong
 * is in `diagnostics`, each with its range, and what can be understood is in the tree all the same.
 */
export function parseDocument(source: SourceFile): ConfigDocument {
  const { file, text } = source;
  const lines = new LineIndex(text);
  const problems = new Problems();
  const root = isReadable(text, problems) ? readTree(text, lines, problems) : null;
  const diagnostics = problems.all().map(({ rule, message, help, start, end, repair, first }): Diagnostic => ({
    rule,
    clause: "config.v1",
    severity: "error",
    message,
    help,
    command: null,
    file,
    range: lines.range(start, end),
    ...(first === undefined
      ? {}
      : { related: [{ file, range: lines.range(first.start, first.end), message: "first set here" }] }),
    fix: repair === null ? null : { safety: "safe", title: repair, changes: [] },
  }));
  return new ConfigDocument(source, lines, { root, diagnostics, broken: problems.broken, repairs: problems.repairs });
}

function isReadable(text: string, problems: Problems): boolean {
  // UTF-16 or UTF-32 text that was decoded as UTF-8: every second unit of it is NUL, its byte order mark two replacement characters.
  const nul = text.slice(0, 4).indexOf("\0");
  if (text.length > LONGEST_TEXT) problems.guess("size", { start: 0, end: 0 });
  else if (nul >= 0 || text.startsWith("\ufffd\ufffd"))
    problems.guess("encoding", { start: Math.max(nul, 0), end: Math.max(nul, 0) + 1 });
  else return true;
  return false;
}

function readTree(text: string, lines: LineIndex, problems: Problems): ConfigNode | null {
  const surrogate = text.search(/\p{Surrogate}/u);
  if (surrogate >= 0) problems.note("rawSurrogate", { start: surrogate, end: surrogate + 1 });
  const root = new TreeReader(text, problems).read();
  if (root?.kind !== "object") problems.broken = true;
  if (root === null) return null;
  if (root.kind !== "object")
    problems.note("root", { start: root.start, end: root.kind === "array" ? root.start + 1 : root.end });
  checkKeys(root, lines, problems);
  return root;
}

/** Reports keys that stand twice in one object, and keys that no program can be trusted with. */
function checkKeys(node: ConfigNode, lines: LineIndex, problems: Problems): void {
  if (node.kind === "array") for (const item of node.items) checkKeys(item, lines, problems);
  if (node.kind !== "object") return;
  const first = new Map<string, Member>();
  for (const member of node.members) {
    const { key, keySpan, value } = member;
    const earlier = first.get(key);
    if (key === "__proto__") problems.note("protoKey", keySpan);
    else if (earlier === undefined) first.set(key, member);
    else if (key !== COMMENT_KEY) {
      const { line, column } = lines.position(earlier.keySpan.start);
      const message = `the key ${JSON.stringify(key)} is already set in this object at line ${line}, column ${column}`;
      problems.noteAgain("duplicateKey", keySpan, earlier.keySpan, message);
    }
    if (value !== null) checkKeys(value, lines, problems);
  }
}
