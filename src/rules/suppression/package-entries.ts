import { closestName } from "../../base/closest-name.ts";
import { type ConfigPath, readPath } from "../../base/config-path.ts";
import type { ConfigDocument } from "../../config/document.ts";
import { COMMENT_KEY, type ConfigNode } from "../../config/node.ts";
import { parseDocument } from "../../config/parse.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { fileBelow } from "../../deployment/inputs.ts";
import { readPackageJson } from "../../deployment/release/pin.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { field, names } from "../rule.ts";
import { saysSomething } from "./directive.ts";

/** An entry of `qmDeploy.ignore` in the package.json of a deployment. */
export interface PackageEntry {
  readonly rule: string;
  /** Null: findings of the rule anywhere. */
  readonly path: string | null;
  readonly reason: string;
  readonly file: string;
  /** Of the rule as it is written. */
  readonly range: SourceRange;
}

/** What is wrong with the entries; `isReason` where only that is missing. */
export interface EntryProblem {
  readonly message: string;
  readonly range: SourceRange;
  readonly isReason: boolean;
}

export interface PackageEntries {
  readonly entries: readonly PackageEntry[];
  readonly problems: readonly EntryProblem[];
  readonly file: string;
}

const SECTION = "qmDeploy";
const FIELDS = ["rule", "path", "reason"] as const;

/** Reads the suppressions of the package.json beside the config; null where it has none, or is no JSON, which has a finding of its own. */
export function readPackageEntries({ inputs }: Deployment): PackageEntries | null {
  const own = inputs.packageFiles.find(({ relation }) => relation === "own");
  if (own === undefined || !own.text.includes(`"${SECTION}"`)) return null;
  // As strictly as the pin is read: a file in which that does not count says nothing else either.
  if (readPackageJson(own.text) === undefined) return null;
  const document = parseDocument(own);
  if (document.node([SECTION]) === undefined) return null;
  const problems: EntryProblem[] = [];
  const report: Report = (path, message, { isReason = false, isKey = false } = {}) => {
    const range = isKey ? document.keyRange(path) : document.valueRange(path);
    problems.push({ message, range, isReason });
  };
  const isObject = checkFields(document, [SECTION], ["ignore"], report);
  const list = isObject ? document.node([SECTION, "ignore"]) : undefined;
  if (list !== undefined && list.kind !== "array") report([SECTION, "ignore"], `\`${SECTION}.ignore\` is no list`);
  const entries = (list?.kind === "array" ? list.items : []).flatMap((_, at) => {
    const path = [SECTION, "ignore", at];
    const before = problems.length;
    const entry = checkFields(document, path, FIELDS, report) ? readEntry(document, path, report) : null;
    // A misspelt `path` would leave one that covers its rule everywhere.
    return entry === null || problems.length > before ? [] : [entry];
  });
  return { entries, problems, file: own.file };
}

type Report = (
  path: ConfigPath,
  message: string,
  about?: { readonly isReason?: boolean; readonly isKey?: boolean },
) => void;

/** True for an object; its fields that nothing reads are reported. */
function checkFields(document: ConfigDocument, path: ConfigPath, known: readonly string[], report: Report): boolean {
  const node = document.node(path) as ConfigNode;
  if (node.kind !== "object") {
    report(path, `${field(path)} is no object`);
    return false;
  }
  for (const { key } of node.members) {
    if (known.includes(key) || key === COMMENT_KEY) continue;
    const meant = closestName(key, known);
    const help = meant === null ? `known are ${names(known)}` : `\`${meant}\` was meant`;
    report([...path, key], `${field(path)} has a field that nothing reads: ${help}`, { isKey: true });
  }
  return true;
}

function readEntry(document: ConfigDocument, path: ConfigPath, report: Report): PackageEntry | null {
  const faulty = FIELDS.filter((name) => {
    const node = document.node([...path, name]);
    const isText =
      node?.kind === "string" && (name === "reason" ? saysSomething(node.value) : node.value.trim() !== "");
    return !isText && (node !== undefined || name !== "path");
  });
  for (const name of faulty)
    report(
      document.node([...path, name]) === undefined ? path : [...path, name],
      name === "reason" ? `${field(path)} gives no reason` : `\`${name}\` of ${field(path)} is no text`,
      { isReason: name === "reason" },
    );
  if (faulty.length > 0) return null;
  const textOf = (name: string): string => String(document.value([...path, name]));
  return {
    rule: textOf("rule"),
    path: document.node([...path, "path"]) === undefined ? null : textOf("path"),
    reason: textOf("reason").trim(),
    file: document.file,
    range: document.valueRange([...path, "rule"]),
  };
}

/** Tells the findings that the path of an entry is about: those in a file or directory, or at, in or right above a place of the config. */
export function matcherOf(
  { path }: PackageEntry,
  { document, inputs }: Deployment,
): (finding: Pick<Diagnostic, "file" | "range">) => boolean {
  if (path === null) return () => true;
  const below = path
    .split("/")
    .filter((part, at) => part !== "." && (part !== "" || at === 0))
    .join("/");
  // The deployment directory, with all that is in it.
  if (below === "") return () => true;
  const file = fileBelow(inputs, below);
  const reading = readPath(path);
  const node = reading.ok && reading.path.length > 0 ? document.node(reading.path) : undefined;
  const key = reading.ok && reading.path.length > 0 ? document.keyRange(reading.path) : null;
  return (finding) => {
    if (finding.file === file || finding.file.startsWith(`${file}/`)) return true;
    if (key === null || finding.range === null || finding.file !== document.file) return false;
    const { offset } = finding.range.start;
    return offset >= key.start.offset && offset < (node?.end ?? key.end.offset);
  };
}
