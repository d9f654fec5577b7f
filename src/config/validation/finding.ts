import type { ConfigPath } from "../../base/config-path.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Fix, FixSafety } from "../../diagnostics/diagnostic.ts";
import type { RuleId } from "../../diagnostics/rule-ids.generated.ts";

/** What is found at a path of the config. It is about the value there unless it says that it is about the key. */
export interface Finding {
  readonly rule: RuleId;
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
