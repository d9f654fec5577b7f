import type { ConfigPath } from "../base/config-path.ts";
import type { JsonValue } from "../base/json.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/range.ts";
import type { ConfigNode, Member } from "./node.ts";

/** A parsed JSONC document that knows where everything stands. */
export interface ConfigDocument {
  readonly file: string;
  /** Decoded text, a byte order mark included. */
  readonly text: string;
  /** Null where there is no value at all. */
  readonly root: ConfigNode | null;
  /** Syntax findings: each with a range. */
  readonly diagnostics: readonly Diagnostic[];
  /** True where a syntax error may have cost a part of the document. */
  readonly broken: boolean;
  /** The node at a path (the last of duplicate keys); undefined when missing. */
  node(path: ConfigPath): ConfigNode | undefined;
  /** The member of an object that counts for a key (the last of duplicates); undefined when missing. */
  member(node: ConfigNode, key: string): Member | undefined;
  /** The plain value at a path, objects without prototype, comment keys (`"//"`) and `__proto__` left out. */
  value(path: ConfigPath): JsonValue | undefined;
  /** Range of the key token at a path (quotes included); for an array item its value; for a missing key, its nearest existing parent's key, or the opening brace of the root. */
  keyRange(path: ConfigPath): SourceRange;
  /** Range of the value at a path; falls back like {@link keyRange}. */
  valueRange(path: ConfigPath): SourceRange;
}
