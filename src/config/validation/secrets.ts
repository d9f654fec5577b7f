import { type ConfigPath, showPath } from "../../base/config-path.ts";
import { findProviderSecrets, findSecrets, type FoundSecret, secretShape } from "../../base/secret-shape.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ConfigDocument } from "../document.ts";
import { COMMENT_KEY, type ConfigNode, type Span } from "../node.ts";
import { MOST_FINDINGS } from "./finding.ts";

/** Secrets of a document where none belongs, and the paths that are left out of the config for it. */
export interface MisplacedSecrets {
  readonly diagnostics: readonly Diagnostic[];
  readonly unsound: readonly ConfigPath[];
}

/**
 * Finds secrets by their form wherever text stands in a document: in fields, names, keys, notes and comments. Values of environments and build
 * arguments are judged with what else is known of the deployment (`secrets/secret-value`). What is found is left out of the config, so that
 * nothing that follows from it can show or write it.
 */
export function findMisplacedSecrets(document: ConfigDocument): MisplacedSecrets {
  const diagnostics: Diagnostic[] = [];
  const unsound: ConfigPath[] = [];
  const texts: Span[] = [];
  const report = (span: Span, what: string, where: string): void => {
    diagnostics.push(toDiagnostic(document, span, `${where} ${what}`));
  };
  const visit = (node: ConfigNode, path: ConfigPath): void => {
    if (node.kind === "array") node.items.forEach((item, at) => visit(item, [...path, at]));
    if (node.kind === "string") {
      texts.push(node);
      const what = isOpenValue(path) ? null : secretIn(node.value, isName(path));
      if (what === null) return;
      unsound.push(path);
      report(node, what, `\`${showPath(path)}\` ${isName(path) ? "names no secret but holds" : "holds"}`);
    }
    if (node.kind !== "object") return;
    for (const { key, keySpan, value } of node.members) {
      const here = [...path, key];
      texts.push(keySpan);
      const what = key === COMMENT_KEY ? null : secretIn(key, true);
      if (what !== null) {
        unsound.push(here);
        report(keySpan, what, `a key of ${path.length === 0 ? "the config" : `\`${showPath(path)}\``} holds`);
      } else if (value !== null) visit(value, here);
    }
  };
  if (document.root !== null) visit(document.root, []);
  for (const { start, end } of between(texts, document.text)) {
    const beside = document.text.slice(start, end);
    for (const found of findProviderSecrets(beside).slice(0, MOST_FINDINGS)) {
      const where = isComment(beside.slice(0, found.start)) ? "a comment holds" : "text that is no value holds";
      report({ start: start + found.start, end: start + found.end }, found.what, where);
    }
  }
  const said = new Set(diagnostics.map(({ range }) => range?.start.line));
  for (const { start, end, what } of assignedSecrets(document.text)) {
    if (said.size >= MOST_FINDINGS) break;
    const { line } = document.range(start, end).start;
    if (said.has(line)) continue;
    said.add(line);
    report({ start, end }, what, "a line of an env file holds");
  }
  return { diagnostics, unsound };
}

/** A line of an env file. No text of JSON goes over a line end, so that what begins a line is in none. */
const ENV_LINE = /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w{0,60}=.*/gm;

/** Secrets in lines of an env file, which somebody put into the wrong file. */
function* assignedSecrets(text: string): Iterable<FoundSecret> {
  for (const { 0: line, index } of text.matchAll(ENV_LINE))
    for (const { start, end, what } of findSecrets(line).slice(0, 1))
      yield { start: index + start, end: index + end, what };
}

/** What stands between texts that follow each other, and around them. */
function* between(texts: readonly Span[], { length }: string): Iterable<Span> {
  let start = 0;
  for (const text of [...texts, { start: length, end: length }]) {
    if (text.start > start) yield { start, end: text.start };
    start = Math.max(start, text.end);
  }
}

/** True where what follows a text belongs to a comment that begins in it. */
function isComment(before: string): boolean {
  const line = before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1);
  return /\/\/|#/.test(line) || before.lastIndexOf("/*") > before.lastIndexOf("*/");
}

/** What a text holds; a name also where it only looks like a key. */
function secretIn(text: string, isName: boolean): string | null {
  return secretShape(text) ?? (isName && looksLikeKey(text) ? "what looks like a secret" : null);
}

/** Letters and digits in turns, as in random text; the words and years of a name have few. */
function looksLikeKey(name: string): boolean {
  const longest = name.match(/[A-Za-z0-9]{20,}/g) ?? [];
  return longest.some((part) => (part.match(/[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0) >= 4);
}

/** True for a value of an environment or a build argument. */
function isOpenValue(path: ConfigPath): boolean {
  const parent = path.at(-2);
  if (parent === "buildArgs") return path[0] === "aws";
  if (path[0] === "env") return path.length === 3;
  return parent === "env" && (path[0] === "plugins" || path[0] === "sandbox");
}

/** True where the config names a secret. */
function isName(path: ConfigPath): boolean {
  if (path[0] === "secretEnv") return path.length === 3;
  if (path[0] === "sandbox") return path[1] === "secretEnv";
  return path[0] === "plugins" && path[2] === "secrets" && path.at(-1) === "name";
}

function toDiagnostic(document: ConfigDocument, { start, end }: Span, what: string): Diagnostic {
  return {
    rule: "secrets/misplaced-secret",
    clause: "config.no-secret-values",
    severity: "error",
    message: `${what}, which does not belong in the config`,
    help: "remove it, and replace it if it was real; the config only names secrets, and `.env` or the target's store keeps their values",
    command: null,
    file: document.file,
    range: document.range(start, end),
    fix: null,
  };
}
