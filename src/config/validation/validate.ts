import type { core } from "zod/mini";
import { type ConfigPath, showPath } from "../../base/config-path.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ConfigDocument } from "../document.ts";
import { findPlaceholder } from "../placeholder.ts";
import { schemaIssues } from "../schema/config.ts";
import { diagnose } from "./finding.ts";
import { hasKey, missingKey } from "./missing-key.ts";
import { unknownKey } from "./unknown-key.ts";
import { badKey, badValue, unknownName, wrongType } from "./invalid-value.ts";

/** Shape findings that are listed before the rest is only counted. */
const MOST_FINDINGS = 100;

export interface Validation {
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of everything that has not its shape, to be left out of the config. */
  readonly unsound: readonly ConfigPath[];
}

/** Holds a document against the schema. A value with a finding in `placeholders` needs no other for its shape. */
export function validateShape(document: ConfigDocument, placeholders: readonly Diagnostic[]): Validation {
  if (document.root?.kind !== "object") return { diagnostics: [], unsound: [] };
  const waiting = new Set(
    placeholders.filter(({ rule }) => rule === "config/placeholder").map(({ range }) => range?.start.offset),
  );
  const filledIn = (offset: number): boolean => !waiting.has(offset);
  const issues = schemaIssues(document.value([]));
  const unsound = issues.flatMap((issue) => unsoundPaths(issue));
  const found = new Map<string, Diagnostic>();
  const meant = new Set<string>();
  let unlisted = 0;
  for (const { path, keys } of unknownKeys(issues)) {
    for (const key of keys) {
      if (found.size >= MOST_FINDINGS) unlisted++;
      else {
        const unknown = unknownKey(document, path, key);
        found.set(JSON.stringify([...path, key]), unknown.diagnostic);
        if (unknown.meant !== null) meant.add(JSON.stringify([...path, unknown.meant]));
      }
    }
  }
  for (const issue of issues) {
    const place = JSON.stringify(issue.path);
    if (issue.code === "unrecognized_keys" || found.has(place) || meant.has(place)) continue;
    if (found.size >= MOST_FINDINGS) unlisted++;
    else {
      const diagnostic = judgeIssue(document, issue, filledIn);
      if (diagnostic !== null) found.set(place, diagnostic);
    }
  }
  const diagnostics = [...found.values()];
  if (unlisted > 0) {
    const message = `${unlisted} more problems of shape are not listed`;
    diagnostics.push(
      diagnose(document, [], "key", {
        rule: "config/more-problems",
        message,
        help: "mend the listed ones first and run it again",
      }),
    );
  }
  return { diagnostics, unsound };
}

function unknownKeys(issues: readonly core.$ZodIssue[]): { path: ConfigPath; keys: string[] }[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? [{ path: issue.path as ConfigPath, keys: issue.keys }] : [],
  );
}

function unsoundPaths(issue: core.$ZodIssue): ConfigPath[] {
  const path = issue.path as ConfigPath;
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...path, key]) : [path];
}

/** Issue codes are mapped to our own words: zod's text is English of its own and changes between releases. */
function judgeIssue(
  document: ConfigDocument,
  issue: core.$ZodIssue,
  filledIn: (offset: number) => boolean,
): Diagnostic | null {
  const path = issue.path as ConfigPath;
  const node = document.node(path);
  if (node === undefined) return document.broken || hasKey(document, path) ? null : missingKey(document, path);
  if (issue.code === "invalid_key") {
    if (findPlaceholder(String(path.at(-1))) === null)
      return badKey(document, path, issue.issues[0]?.message ?? "a name");
    return diagnose(document, path, "key", {
      rule: "config/placeholder",
      message: `the key \`${showPath(path)}\` is a placeholder`,
      help: "put the real name there",
    });
  }
  if (!filledIn(node.start)) return null;
  if (issue.code === "invalid_type") return wrongType(document, path, node, issue.expected);
  if (issue.code === "invalid_value" || issue.code === "invalid_union") return unknownName(document, path, node);
  return badValue(document, path, node, issue.message);
}
