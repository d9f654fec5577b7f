import type { ConfigPath } from "../../base/config-path.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Diagnostic, Fix, FixSafety, Severity } from "../../diagnostics/diagnostic.ts";
import type { RuleId } from "../../diagnostics/rule-ids.generated.ts";
import type { ConfigDocument } from "../document.ts";

/** Findings of a kind that are listed: a document with more of them is not one that is nearly ready. */
export const MOST_FINDINGS = 100;

/** What is found at a path of the config. It is about the value there unless it says that it is about the key. */
export interface Finding {
  readonly rule: RuleId;
  /** "error" unless it says otherwise. */
  readonly severity?: Severity;
  readonly message: string;
  readonly help: string;
  readonly fix?: Fix | null;
  readonly isAboutKey?: boolean;
  /** For an unknown key: the one of the same object that was meant. */
  readonly meant?: string;
}

export function setFix(safety: FixSafety, title: string, path: ConfigPath, value: JsonValue): Fix {
  return { safety, title, changes: [{ kind: "set", path, value }] };
}

export function toDiagnostic(document: ConfigDocument, path: ConfigPath, finding: Finding): Diagnostic {
  return {
    rule: finding.rule,
    clause: "config.v1",
    severity: finding.severity ?? "error",
    message: finding.message,
    help: finding.help,
    command: null,
    file: document.file,
    range: finding.isAboutKey === true ? document.keyRange(path) : document.valueRange(path),
    fix: finding.fix ?? null,
  };
}
