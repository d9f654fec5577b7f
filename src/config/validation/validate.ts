import { type ConfigPath, showPath } from "../../base/config-path.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ConfigDocument } from "../document.ts";
import { findPlaceholder } from "../placeholder.ts";
import { type SchemaIssue, schemaIssues } from "../schema/config.ts";
import { type Finding, setFix, toDiagnostic } from "./finding.ts";
import { badKey, badValue, unknownName, wrongType } from "./invalid-value.ts";
import { unknownKey } from "./unknown-key.ts";

export interface Validation {
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of everything that has not its shape, to be left out of the config. */
  readonly unsound: readonly ConfigPath[];
}

/** One thing that breaks the schema: a key that it does not know, or an issue with the value at a path. */
interface Breach {
  readonly path: ConfigPath;
  /** Null for an unknown key. */
  readonly issue: SchemaIssue | null;
}

/** Holds a document against the schema. A value with a finding in `placeholders` needs no other for its shape. Above `most`, findings are only counted. */
export function validateShape(document: ConfigDocument, placeholders: readonly Diagnostic[], most: number): Validation {
  const breaches = schemaIssues(document.value([])).flatMap(breachesOf);
  const waiting = new Set(
    placeholders.filter(({ severity }) => severity === "error").map(({ range }) => range?.start.offset),
  );
  const found = new Map<string, Diagnostic>();
  let unlisted = 0;
  // Unknown keys come first: a key that was meant by one of them is not missing as well.
  const meant = new Set<string>();
  for (const { path, issue } of breaches.toSorted((a, b) => Number(a.issue !== null) - Number(b.issue !== null))) {
    const place = JSON.stringify(path);
    if (found.has(place) || meant.has(place)) continue;
    if (found.size >= most) {
      unlisted++;
      continue;
    }
    const finding = issue === null ? judgeUnknownKey(document, path) : judgeIssue(document, path, issue, waiting);
    if (finding?.meant !== undefined) meant.add(JSON.stringify([...path.slice(0, -1), finding.meant]));
    if (finding !== null) found.set(place, toDiagnostic(document, path, finding));
  }
  const diagnostics = [...found.values()];
  if (unlisted > 0) diagnostics.push(toDiagnostic(document, [], notListed(unlisted)));
  return { diagnostics, unsound: breaches.map(({ path }) => path) };
}

function breachesOf(issue: SchemaIssue): Breach[] {
  const path = issue.path as ConfigPath;
  if (issue.code !== "unrecognized_keys") return [{ path, issue }];
  return issue.keys.map((key) => ({ path: [...path, key], issue: null }));
}

function judgeUnknownKey(document: ConfigDocument, path: ConfigPath): Finding {
  return findPlaceholder(String(path.at(-1))) === null ? unknownKey(document, path) : placeholderKey(path);
}

/** Issue codes are mapped to our own words: zod's text is English of its own and changes between releases. */
function judgeIssue(
  document: ConfigDocument,
  path: ConfigPath,
  issue: SchemaIssue,
  waiting: ReadonlySet<number | undefined>,
): Finding | null {
  const node = document.node(path);
  if (node === undefined) return document.broken || hasKey(document, path) ? null : missingKey(path);
  if (issue.code === "invalid_key") {
    if (findPlaceholder(String(path.at(-1))) !== null) return placeholderKey(path);
    return badKey(path, issue.issues[0]?.message ?? "a name");
  }
  if (waiting.has(node.start)) return null;
  if (issue.code === "invalid_type") return wrongType(document, path, node, issue.expected);
  if (issue.code === "invalid_value" || issue.code === "invalid_union") return unknownName(document, path, node);
  return badValue(path, node, issue.message);
}

/** True where a key stands in the document, whatever became of its value. */
function hasKey(document: ConfigDocument, path: ConfigPath): boolean {
  const parent = document.node(path.slice(0, -1));
  return parent?.kind === "object" && parent.members.some((member) => member.key === path.at(-1));
}

const HOW_TO_ADD: { readonly [key: string]: string } = {
  contract: 'add `"contract": 1`',
  orgId: 'add the name of your organisation, such as `"orgId": "acme"`',
  publicUrl: 'add the address that users open, such as `"publicUrl": "https://qm.acme.com"`',
  target: 'add `"target"` with docker, fly or aws',
  services: 'add the services to run, such as `"services": ["core", "web-ui"]`',
};

function missingKey(path: ConfigPath): Finding {
  const key = String(path.at(-1));
  return {
    rule: "config/missing-key",
    message: `\`${showPath(path)}\` is missing`,
    help: (path.length === 1 ? HOW_TO_ADD[key] : undefined) ?? `add \`"${key}"\``,
    fix: path.length === 1 && key === "contract" ? setFix("suggested", "add `contract`", path, 1) : null,
    isAboutKey: true,
  };
}

function placeholderKey(path: ConfigPath): Finding {
  const message = `the key \`${showPath(path)}\` is a placeholder`;
  return { rule: "config/placeholder", message, help: "put the real name there", isAboutKey: true };
}

function notListed(count: number): Finding {
  const message = `${count} more problems of shape are not listed`;
  return {
    rule: "config/more-problems",
    message,
    help: "fix the listed ones first and run it again",
    isAboutKey: true,
  };
}
