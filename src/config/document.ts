import type { ConfigPath } from "../base/config-path.ts";
import type { Splice } from "../base/text-edit.ts";
import type { JsonValue } from "../base/json.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { LineIndex, SourceFile, SourceRange } from "../diagnostics/source.ts";
import { COMMENT_KEY, type ConfigNode, type Member, toValue } from "./node.ts";

/** A parsed JSONC document that knows where everything stands. Each object is indexed when it is first looked into. */
export class ConfigDocument {
  readonly file: string;
  /** Decoded text, a byte order mark included. */
  readonly text: string;
  /** Null where there is no value at all. */
  readonly root: ConfigNode | null;
  /** Syntax findings: each with a range. */
  readonly diagnostics: readonly Diagnostic[];
  /** True where a syntax error may have cost a part of the document. */
  readonly broken: boolean;
  /** What makes JSONC of what another dialect of JSON writes; nothing of it changes what is understood. */
  readonly repairs: readonly Splice[];
  readonly #lines: LineIndex;
  readonly #members = new Map<ConfigNode, Map<string, Member>>();
  readonly #values = new Map<ConfigNode, JsonValue>();

  constructor(
    source: SourceFile,
    lines: LineIndex,
    { root, diagnostics, broken, repairs }: Pick<ConfigDocument, "root" | "diagnostics" | "broken" | "repairs">,
  ) {
    this.file = source.file;
    this.text = source.text;
    this.root = root;
    this.diagnostics = diagnostics;
    this.broken = broken;
    this.repairs = repairs;
    this.#lines = lines;
  }

  /** The node at a path (the last of duplicate keys); undefined when missing. */
  node(path: ConfigPath): ConfigNode | undefined {
    let node: ConfigNode | null | undefined = this.root;
    for (const step of path) {
      if (node === null || node === undefined) return undefined;
      node = this.child(node, step);
    }
    return node ?? undefined;
  }

  /** The value of a node's member or its item; undefined when missing. */
  child(node: ConfigNode, step: string | number): ConfigNode | undefined {
    return (typeof step === "string" ? this.member(node, step)?.value : itemOf(node, step)) ?? undefined;
  }

  /** The member of an object that counts for a key (the last of duplicates); undefined when missing. */
  member(node: ConfigNode, key: string): Member | undefined {
    if (node.kind !== "object") return undefined;
    let members = this.#members.get(node);
    if (members === undefined) {
      members = new Map(node.members.map((member) => [member.key, member]));
      this.#members.set(node, members);
    }
    return members.get(key);
  }

  /** The plain value at a path, objects without prototype, comment keys (`"//"`) and `__proto__` left out. */
  value(path: ConfigPath): JsonValue | undefined {
    const node = this.node(path);
    if (node === undefined || path.includes("__proto__") || path.includes(COMMENT_KEY)) return undefined;
    let value = this.#values.get(node);
    if (value === undefined) {
      value = toValue(node);
      this.#values.set(node, value);
    }
    return value;
  }

  /**
   * Range of the key token at a path (quotes included); for an array item its value; for a missing key the key of its
   * nearest parent that is there, or the opening bracket of a parent without a key.
   */
  keyRange(path: ConfigPath): SourceRange {
    const last = path.at(-1);
    if (last === undefined) return this.#openingBracket(this.root);
    const parentPath = path.slice(0, -1);
    const parent = this.node(parentPath);
    if (parent === undefined) return this.keyRange(parentPath);
    const span = typeof last === "string" ? this.member(parent, last)?.keySpan : itemOf(parent, last);
    if (span !== undefined) return this.#lines.range(span.start, span.end);
    return typeof parentPath.at(-1) === "string" ? this.keyRange(parentPath) : this.#openingBracket(parent);
  }

  /** Range of the value at a path; falls back like {@link keyRange}. */
  valueRange(path: ConfigPath): SourceRange {
    const node = this.node(path);
    return node === undefined ? this.keyRange(path) : this.#lines.range(node.start, node.end);
  }

  /** The place of offsets of the text. */
  range(start: number, end: number): SourceRange {
    return this.#lines.range(start, end);
  }

  #openingBracket(node: ConfigNode | null): SourceRange {
    if (node === null) return this.#lines.range(0, 0);
    const isBracket = node.kind === "object" || node.kind === "array";
    return this.#lines.range(node.start, isBracket ? node.start + 1 : node.end);
  }
}

function itemOf(node: ConfigNode, index: number): ConfigNode | undefined {
  return node.kind === "array" ? node.items[index] : undefined;
}
