import type { ConfigPath } from "../base/config-path.ts";
import type { JsonValue } from "../base/json.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/range.ts";
import type { LineIndex, SourceFile } from "../diagnostics/source.ts";
import type { ConfigDocument } from "./document.ts";
import type { ConfigNode, Member, Span } from "./node.ts";
import { toValue } from "./values.ts";

/** The document of a tree. Lookups cost the length of their path: each object is indexed on first use. */
export class ParsedDocument implements ConfigDocument {
  readonly file: string;
  readonly text: string;
  readonly root: ConfigNode | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly broken: boolean;
  readonly #lines: LineIndex;
  readonly #members = new Map<ConfigNode, Map<string, Member>>();
  readonly #values = new Map<ConfigNode, JsonValue>();

  constructor(
    source: SourceFile,
    lines: LineIndex,
    root: ConfigNode | null,
    diagnostics: readonly Diagnostic[],
    broken: boolean,
  ) {
    this.file = source.file;
    this.text = source.text;
    this.root = root;
    this.diagnostics = diagnostics;
    this.broken = broken;
    this.#lines = lines;
  }

  node(path: ConfigPath): ConfigNode | undefined {
    let node: ConfigNode | null | undefined = this.root;
    for (const step of path) {
      if (node === null || node === undefined) return undefined;
      node = typeof step === "number" ? this.#item(node, step) : this.member(node, step)?.value;
    }
    return node ?? undefined;
  }

  member(node: ConfigNode, key: string): Member | undefined {
    if (node.kind !== "object") return undefined;
    let members = this.#members.get(node);
    if (members === undefined) {
      members = new Map(node.members.map((member) => [member.key, member]));
      this.#members.set(node, members);
    }
    return members.get(key);
  }

  value(path: ConfigPath): JsonValue | undefined {
    const node = this.node(path);
    if (node === undefined || path.includes("__proto__") || path.includes("//")) return undefined;
    const known = this.#values.get(node);
    if (known !== undefined) return known;
    const value = toValue(node);
    this.#values.set(node, value);
    return value;
  }

  keyRange(path: ConfigPath): SourceRange {
    const last = path.at(-1);
    if (last === undefined) return this.#openingBrace();
    const parent = this.node(path.slice(0, -1));
    if (parent === undefined) return this.keyRange(path.slice(0, -1));
    const span: Span | undefined =
      typeof last === "number" ? this.#item(parent, last) : this.member(parent, last)?.keySpan;
    return span === undefined ? this.#parentRange(path) : this.#lines.range(span.start, span.end);
  }

  valueRange(path: ConfigPath): SourceRange {
    const node = this.node(path);
    return node === undefined ? this.keyRange(path) : this.#lines.range(node.start, node.end);
  }

  /** For a missing member: the parent's key, or the opening bracket of a parent that has none. */
  #parentRange(path: ConfigPath): SourceRange {
    const parent = path.slice(0, -1);
    if (typeof parent.at(-1) === "string") return this.keyRange(parent);
    const node = this.node(parent);
    return node === undefined ? this.#openingBrace() : this.#lines.range(node.start, node.start + 1);
  }

  #openingBrace(): SourceRange {
    if (this.root === null) return this.#lines.range(0, 0);
    const isBracket = this.root.kind === "object" || this.root.kind === "array";
    return this.#lines.range(this.root.start, isBracket ? this.root.start + 1 : this.root.end);
  }

  #item(node: ConfigNode, index: number): ConfigNode | undefined {
    return node.kind === "array" ? node.items[index] : undefined;
  }
}
