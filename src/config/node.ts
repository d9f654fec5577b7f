import { type ConfigPath, printPath } from "../base/config-path.ts";
import type { JsonValue } from "../base/json.ts";

/** Where a token stands: offsets into the text of its file, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One `"key": value` of an object as written. A duplicate key has a member of its own. */
export interface Member {
  readonly key: string;
  /** The key token, quotes included. */
  readonly keySpan: Span;
  /** Null where the value is missing or does not parse. */
  readonly value: ConfigNode | null;
}

/** A value of a config document with its place. */
export type ConfigNode =
  | (Span & { readonly kind: "object"; readonly members: readonly Member[] })
  | (Span & { readonly kind: "array"; readonly items: readonly ConfigNode[] })
  | (Span & { readonly kind: "string"; readonly value: string })
  | (Span & { readonly kind: "number"; readonly value: number })
  | (Span & { readonly kind: "boolean"; readonly value: boolean })
  | (Span & { readonly kind: "null" });

/** The key under which notes may stand anywhere, and more than once. */
export const COMMENT_KEY = "//";

/**
 * The plain value of a node. Objects have no prototype, so that a key such as `constructor` is only there when it was
 * written; comment keys and `__proto__` are left out, and so is what did not parse. Of duplicate keys the last counts.
 */
export function toValue(node: ConfigNode): JsonValue {
  switch (node.kind) {
    case "null":
      return null;
    case "array":
      return node.items.map(toValue);
    case "object": {
      const value = Object.create(null) as { [key: string]: JsonValue };
      for (const { key, value: child } of node.members) {
        if (key === COMMENT_KEY || key === "__proto__") continue;
        if (child !== null) value[key] = toValue(child);
        else delete value[key];
      }
      return value;
    }
    default:
      return node.value;
  }
}

/** True when a comment key stands anywhere but at the top level. */
export function hasNestedComment(node: ConfigNode | null, isRoot = true): boolean {
  if (node?.kind === "array") return node.items.some((item) => hasNestedComment(item, false));
  if (node?.kind !== "object") return false;
  return node.members.some(
    (member) => (member.key === COMMENT_KEY && !isRoot) || hasNestedComment(member.value, false),
  );
}

/** The path of everything below a node, as people write it, in the order of the file; comment keys aside. */
export function pathsBelow(root: ConfigNode | null): readonly string[] {
  const paths = new Set<string>();
  const walk = (node: ConfigNode | null, path: ConfigPath): void => {
    if (path.length > 0) paths.add(printPath(path));
    if (node?.kind === "array") for (const [at, item] of node.items.entries()) walk(item, [...path, at]);
    if (node?.kind !== "object") return;
    for (const member of node.members) if (member.key !== COMMENT_KEY) walk(member.value, [...path, member.key]);
  };
  walk(root, []);
  return [...paths];
}

/** Every text below a node with its place: values, and keys, which are rendered as well; comment keys aside. */
export function* textsBelow(
  node: ConfigNode | null,
  path: ConfigPath = [],
): Iterable<{ text: string; path: ConfigPath }> {
  if (node?.kind === "string") yield { text: node.value, path };
  if (node?.kind === "array") for (const [at, item] of node.items.entries()) yield* textsBelow(item, [...path, at]);
  if (node?.kind !== "object") return;
  for (const { key, value } of node.members) {
    if (key === COMMENT_KEY) continue;
    yield { text: key, path: [...path, key] };
    yield* textsBelow(value, [...path, key]);
  }
}
