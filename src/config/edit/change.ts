import type { ConfigPath } from "../../base/config-path.ts";
import type { JsonValue } from "../../base/json.ts";
import type { ConfigChange } from "../../diagnostics/diagnostic.ts";
import { type ConfigNode, toValue } from "../node.ts";
import { insertLast } from "./insert.ts";
import { listOf, type ListNode } from "./list.ts";
import { equalValues } from "./expected-value.ts";
import { removeEntry } from "./remove.ts";
import type { Splice } from "./splice.ts";
import { printMember, printValue, spansLines, styleOf, type Style } from "./style.ts";
import { indentOf, scanTrivia, type Trivia } from "./trivia.ts";

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
  const { node, at } = deepest(doc.root, change.path);
  const rest = change.path.slice(at);
  if (change.kind !== "set") {
    if (rest.length > 0) throw new Refusal("there is nothing at that path");
    return { splices: change.kind === "remove" ? remove(doc, change.path) : rename(doc, change.path, change.key) };
  }
  if (rest.length === 0) return setExisting(doc, node, change.path, change.value);
  return { splices: insert(doc, node, rest, change.value) };
}

function child(node: ConfigNode, step: string | number): ConfigNode | null | undefined {
  if (node.kind === "array") return typeof step === "number" ? node.items[step] : undefined;
  return node.kind === "object" ? node.members.findLast(({ key }) => key === step)?.value : undefined;
}

/** The last node on a path that is there, and how many steps lead to it. */
function deepest(root: ConfigNode, path: ConfigPath): { node: ConfigNode; at: number } {
  let node = root;
  for (const [at, step] of path.entries()) {
    const next = child(node, step);
    if (next === null || next === undefined) return { node, at };
    node = next;
  }
  return { node, at: path.length };
}

function setExisting(doc: Editable, node: ConfigNode, path: ConfigPath, value: JsonValue): Step {
  const old = toValue(node);
  if (equalValues(old, value)) return { splices: [] };
  if (node.kind === "object" && value !== null && typeof value === "object" && !Array.isArray(value))
    return { changes: objectChanges(old as { [key: string]: JsonValue }, path, value as { [key: string]: JsonValue }) };
  if (node.kind === "array" && Array.isArray(value)) return { changes: arrayChanges(old as JsonValue[], path, value) };
  const style = styleOf(doc.text, doc.root);
  const indent = spansLines(doc.text, doc.root) ? indentOf(doc.text, node.start) : null;
  return { splices: [{ start: node.start, end: node.end, text: printValue(value, style, indent) }] };
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
  const list = listNode(node, rest[0] as string | number);
  const trivia = scanTrivia(doc.text);
  const style = styleOf(doc.text, doc.root);
  if (node.kind === "array" && rest[0] !== node.items.length)
    throw new Refusal(
      `the array has ${node.kind === "array" ? node.items.length : 0} items: the next index is the only one that can be added`,
    );
  const full = rest.slice(1).reduceRight<JsonValue>((inner, step) => {
    if (typeof step === "number" && step !== 0) throw new Refusal("a new array begins with index 0");
    return typeof step === "number" ? [inner] : { [step]: inner };
  }, value);
  return insertLast(doc.text, listOf(list, trivia), style, (indent) =>
    printEntry(rest[0] as string | number, full, style, indent),
  );
}

function printEntry(step: string | number, value: JsonValue, style: Style, indent: string | null): string {
  return typeof step === "number" ? printValue(value, style, indent) : printMember(step, value, style, indent);
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

function remove(doc: Editable, path: ConfigPath): Splice[] {
  const last = path.at(-1) as string | number;
  const list = listNode(deepest(doc.root, path.slice(0, -1)).node, last);
  const trivia: Trivia = scanTrivia(doc.text);
  const index = list.kind === "array" ? (last as number) : list.members.findLastIndex(({ key }) => key === last);
  return removeEntry(doc.text, listOf(list, trivia), index);
}

function rename(doc: Editable, path: ConfigPath, key: string): Splice[] {
  const parent = deepest(doc.root, path.slice(0, -1)).node;
  const member =
    parent.kind === "object" ? parent.members.findLast((candidate) => candidate.key === path.at(-1)) : undefined;
  if (parent.kind !== "object" || member === undefined) throw new Refusal("only a key can be renamed");
  if (parent.members.some((other) => other !== member && other.key === key))
    throw new Refusal(`the key ${JSON.stringify(key)} is there already`);
  return [{ ...member.keySpan, text: JSON.stringify(key) }];
}
