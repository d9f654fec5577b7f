import type { ConfigPath } from "../../base/config-path.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Splice } from "../../base/text-edit.ts";
import type { ConfigChange } from "../../diagnostics/diagnostic.ts";
import { type ConfigNode, toValue } from "../node.ts";
import { insertLast } from "./insert.ts";
import { equalValues } from "./json-value.ts";
import { hasBreak, indentOf, listOf, type ListNode } from "./list.ts";
import { printMember, printValue, styleOf } from "./print.ts";
import { removeEntry } from "./remove.ts";

/** A parsed text that a change is made in. */
export interface Editable {
  readonly text: string;
  readonly root: ConfigNode;
}

/** Thrown inside the editor and turned into `{ ok: false, reason }` at its edge. */
export class Refusal extends Error {}

/**
 * The splices of one change, or, where a set touches several members of an object, the smaller changes that make it up:
 * an object is never written anew, because the comments inside it would be lost.
 */
export type Step = { readonly splices: readonly Splice[] } | { readonly changes: readonly ConfigChange[] };

export function stepOf(doc: Editable, change: ConfigChange): Step {
  const { node, parent, rest } = lookUp(doc.root, change.path);
  if (change.kind === "set")
    return rest.length === 0
      ? setExisting(doc, node, change.path, change.value)
      : { splices: insert(doc, node, rest, change.value) };
  if (rest.length > 0 || parent === null) throw new Refusal("there is nothing at that path");
  const last = change.path.at(-1) as string | number;
  return { splices: change.kind === "remove" ? remove(doc, parent, last) : rename(parent, last, change.key) };
}

/** The last node on a path that is there, the one that holds it, and the steps of the path that lead further. */
function lookUp(root: ConfigNode, path: ConfigPath): { node: ConfigNode; parent: ConfigNode | null; rest: ConfigPath } {
  let node = root;
  let parent: ConfigNode | null = null;
  for (const [at, step] of path.entries()) {
    const next: ConfigNode | null | undefined =
      node.kind === "array" && typeof step === "number"
        ? node.items[step]
        : node.kind === "object"
          ? node.members.findLast(({ key }) => key === step)?.value
          : null;
    if (next === null || next === undefined) return { node, parent, rest: path.slice(at) };
    parent = node;
    node = next;
  }
  return { node, parent, rest: [] };
}

function setExisting(doc: Editable, node: ConfigNode, path: ConfigPath, value: JsonValue): Step {
  const old = toValue(node);
  if (equalValues(old, value)) return { splices: [] };
  if (node.kind === "object" && value !== null && typeof value === "object" && !Array.isArray(value))
    return { changes: objectChanges(old as { [key: string]: JsonValue }, path, value as { [key: string]: JsonValue }) };
  if (node.kind === "array" && Array.isArray(value)) return { changes: arrayChanges(old as JsonValue[], path, value) };
  const isOnLines = hasBreak(doc.text.slice(doc.root.start, doc.root.end));
  const indent = isOnLines ? indentOf(doc.text, node.start) : null;
  const text = printValue(value, styleOf(doc.text, doc.root), indent);
  return { splices: [{ start: node.start, end: node.end, text }] };
}

function objectChanges(
  old: { [key: string]: JsonValue },
  path: ConfigPath,
  value: { readonly [key: string]: JsonValue },
): ConfigChange[] {
  const removed = Object.keys(old).filter((key) => !Object.hasOwn(value, key));
  const set = Object.keys(value).filter((key) => !Object.hasOwn(old, key) || !equalValues(old[key], value[key]));
  return [
    ...set.map((key): ConfigChange => ({ kind: "set", path: [...path, key], value: value[key] as JsonValue })),
    ...removed.map((key): ConfigChange => ({ kind: "remove", path: [...path, key] })),
  ];
}

/** Items that are gone are taken out where they stood, so that the comments of the others stay beside them. */
function arrayChanges(old: readonly JsonValue[], path: ConfigPath, value: readonly JsonValue[]): ConfigChange[] {
  const changes: ConfigChange[] = [];
  const items = [...old];
  for (let at = 0; items.length > value.length && at < items.length;) {
    if (at < value.length && equalValues(items[at], value[at])) at++;
    else {
      changes.push({ kind: "remove", path: [...path, at] });
      items.splice(at, 1);
    }
  }
  value.forEach((item, at) => {
    if (!equalValues(items[at], item)) changes.push({ kind: "set", path: [...path, at], value: item });
  });
  return changes;
}

function insert(doc: Editable, node: ConfigNode, rest: ConfigPath, value: JsonValue): Splice[] {
  const step = rest[0] as string | number;
  const list = listNode(node, step);
  if (list.kind === "array" && step !== list.items.length)
    throw new Refusal(`the array has ${list.items.length} items: the next index is the only one that can be added`);
  const full = rest.slice(1).reduceRight<JsonValue>((inner, key) => {
    if (typeof key === "number" && key !== 0) throw new Refusal("a new array begins with index 0");
    return typeof key === "number" ? [inner] : { [key]: inner };
  }, value);
  const style = styleOf(doc.text, doc.root);
  return insertLast(doc.text, listOf(doc.text, list), style, (indent) =>
    typeof step === "number" ? printValue(full, style, indent) : printMember(step, full, style, indent),
  );
}

function listNode(node: ConfigNode, step: string | number): ListNode {
  if (node.kind === "object" && typeof step === "string") return node;
  if (node.kind === "array" && typeof step === "number") return node;
  throw new Refusal(
    typeof step === "string"
      ? "a key can only be set in an object, and something else stands there"
      : "an index can only be set in an array, and something else stands there",
  );
}

function remove(doc: Editable, parent: ConfigNode, last: string | number): Splice[] {
  const list = listNode(parent, last);
  const index = list.kind === "array" ? (last as number) : list.members.findLastIndex(({ key }) => key === last);
  return removeEntry(doc.text, listOf(doc.text, list), index);
}

function rename(parent: ConfigNode, last: string | number, key: string): Splice[] {
  const member = parent.kind === "object" ? parent.members.findLast((each) => each.key === last) : undefined;
  if (parent.kind !== "object" || member === undefined) throw new Refusal("only a key can be renamed");
  if (parent.members.some((other) => other !== member && other.key === key))
    throw new Refusal(`the key ${JSON.stringify(key)} is there already`);
  return [{ ...member.keySpan, text: JSON.stringify(key) }];
}
