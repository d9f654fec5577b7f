import type { ConfigPath } from "../../base/config-path.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Diagnostic, Fix, FixSafety } from "../../diagnostics/diagnostic.ts";
import type { RuleId } from "../../diagnostics/rule-ids.generated.ts";
import type { ConfigDocument } from "../document.ts";
import type { ConfigNode } from "../node.ts";

/** What shape findings differ in. */
export interface FindingText {
  readonly rule: RuleId;
  readonly message: string;
  readonly help: string;
  readonly fix?: Fix | null;
}

/** A finding at the key of a path (for an array item: at the item), or at its value. */
export function diagnose(
  document: ConfigDocument,
  path: ConfigPath,
  at: "key" | "value",
  finding: FindingText,
): Diagnostic {
  return {
    rule: finding.rule,
    clause: "config.v1",
    severity: "error",
    message: finding.message,
    help: finding.help,
    command: null,
    file: document.file,
    range: at === "key" ? document.keyRange(path) : document.valueRange(path),
    fix: finding.fix ?? null,
  };
}

export function setFix(safety: FixSafety, title: string, path: ConfigPath, value: JsonValue): Fix {
  return { safety, title, changes: [{ kind: "set", path, value }] };
}

/** What a value is, in words. */
export function kindInWords(node: ConfigNode): string {
  switch (node.kind) {
    case "object":
      return "an object";
    case "array":
      return "an array";
    case "string":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "`true` or `false`";
    default:
      return "`null`";
  }
}
