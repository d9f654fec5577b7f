import type { ConfigPath } from "../../base/config-path.ts";
import { isJsonObject, type JsonValue } from "../../base/json.ts";
import type { Splice } from "../../base/text-edit.ts";
import type { ValueChange } from "../../diagnostics/diagnostic.ts";
import { type ConfigNode, type Member, toValue } from "../node.ts";
import { type Editable, Refusal } from "./editable.ts";
import { insertBeside } from "./beside.ts";
import { insertLast, type PrintEntry } from "./insert.ts";
import { equalValues, ValueEditor } from "./json-value.ts";
import { indentOf, listOf, type ListNode } from "./list.ts";
import { printMember, printValue } from "./print.ts";
import { removeEntries } from "./remove.ts";

/**
 * A set that touches several members of an object or items of an array, as the smaller changes that make it up: an object
 * is never written anew, because the comments inside it would be lost. Null for every other change.
 */
export function partsOf({ document }: Editable, change: ValueChange): readonly ValueChange[] | null {
  if (change.kind !== "set") return null;
  const { path, value } = change;
  const node = document.node(path);
  if (node?.kind === "array" && Array.isArray(value)) return arrayChanges(toValue(node) as JsonValue[], path, value);
  if (node?.kind !== "object" || !isJsonObject(value)) return null;
  return objectChanges(toValue(node) as { [key: string]: JsonValue }, path, value);
}

/**
 * The splices of changes that are independent of each other: all sets and renames, or all removals. Null where several fill
 * an array that is not there yet, whose layout follows from the first of them.
 */
export function splicesOf(doc: Editable, changes: readonly ValueChange[]): Splice[] | null {
  const splices: Splice[] = [];
  const added = new Map<ListNode, Map<string | number, JsonValue>>();
  const removed = new Map<ListNode, Set<Member | ConfigNode>>();
  const values = new ValueEditor();
  for (const change of changes) {
    const { node, rest } = lookUp(doc, change.path);
    if (change.kind === "set" && rest.length === 0) splices.push(...setExisting(doc, node, change.value));
    else if (change.kind === "set") {
      if (!add(added, node, rest, (known, path) => values.change(known, change, path))) return null;
    } else if (rest.length > 0) throw new Refusal("there is nothing at that path");
    else if (change.kind === "rename") splices.push(rename(doc, change.path, change.key));
    else remove(removed, doc, change.path);
  }
  for (const [list, values] of added) splices.push(...insertAll(doc, list, values));
  for (const [list, entries] of removed) splices.push(...removeAll(doc, list, entries));
  return splices;
}

/** The last node on a path that is there, and the steps of the path that lead further. */
function lookUp({ document, root }: Editable, path: ConfigPath): { node: ConfigNode; rest: ConfigPath } {
  let node = root;
  for (const [at, step] of path.entries()) {
    const next = document.child(node, step);
    if (next === undefined) return { node, rest: path.slice(at) };
    node = next;
  }
  return { node, rest: [] };
}

function setExisting(doc: Editable, node: ConfigNode, value: JsonValue): Splice[] {
  if (equalValues(toValue(node), value)) return [];
  const text = printValue(value, doc.style, doc.isOnLines ? indentOf(doc.text, node.start) : null);
  return [{ start: node.start, end: node.end, text }];
}

function objectChanges(
  old: { [key: string]: JsonValue },
  path: ConfigPath,
  value: { readonly [key: string]: JsonValue },
): ValueChange[] {
  const removed = Object.keys(old).filter((key) => !Object.hasOwn(value, key));
  const set = Object.keys(value).filter((key) => !Object.hasOwn(old, key) || !equalValues(old[key], value[key]));
  return [
    ...set.map((key): ValueChange => ({ kind: "set", path: [...path, key], value: value[key] as JsonValue })),
    ...removed.map((key): ValueChange => ({ kind: "remove", path: [...path, key] })),
  ];
}

/** Items that are gone are taken out where they stood, so that the comments of the others stay beside them. */
function arrayChanges(old: readonly JsonValue[], path: ConfigPath, value: readonly JsonValue[]): ValueChange[] {
  const changes: ValueChange[] = [];
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

/** Notes a value that is to come into an object or array; several may share what is missing on their way, but for arrays: false then. */
function add(
  added: Map<ListNode, Map<string | number, JsonValue>>,
  node: ConfigNode,
  path: ConfigPath,
  make: (known: JsonValue | undefined, rest: ConfigPath) => JsonValue | undefined,
): boolean {
  const [first, ...rest] = path;
  const step = first as string | number;
  const list = listNode(node, step);
  const values = added.get(list) ?? new Map<string | number, JsonValue>();
  added.set(list, values);
  const known = values.get(step);
  if (known !== undefined && rest.some((each) => typeof each === "number")) return false;
  if (list.kind === "array" && known === undefined && step !== list.items.length + values.size)
    throw new Refusal(`the array has ${list.items.length} items: the next index is the only one that can be added`);
  const full = make(known, rest);
  if (full === undefined) throw new Refusal("a new array begins with index 0");
  values.set(step, full);
  return true;
}

function insertAll(doc: Editable, node: ListNode, values: ReadonlyMap<string | number, JsonValue>): Splice[] {
  const { text, trivia, style } = doc;
  const list = listOf(trivia, node);
  const splices: Splice[] = [];
  const rest: PrintEntry[] = [];
  for (const [step, value] of values) {
    const print: PrintEntry = (indent) =>
      typeof step === "number" ? printValue(value, style, indent) : printMember(step, value, style, indent);
    const beside = typeof step === "string" ? insertBeside(text, node, list, style, step, print) : null;
    // Of several, one that needs a comma behind the last entry comes to the end: another one may bring that comma.
    if (beside !== null && (values.size === 1 || beside.length === 1)) splices.push(...beside);
    else rest.push(print);
  }
  return rest.length === 0 ? splices : [...splices, ...insertLast(text, list, style, rest)];
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

function remove(removed: Map<ListNode, Set<Member | ConfigNode>>, { document }: Editable, path: ConfigPath): void {
  const step = path.at(-1) as string | number;
  const list = listNode(document.node(path.slice(0, -1)) as ConfigNode, step);
  const entry = typeof step === "string" ? document.member(list, step) : document.child(list, step);
  removed.set(list, (removed.get(list) ?? new Set()).add(entry as Member | ConfigNode));
}

function removeAll({ text, trivia }: Editable, node: ListNode, removed: ReadonlySet<Member | ConfigNode>): Splice[] {
  const entries: readonly (Member | ConfigNode)[] = node.kind === "array" ? node.items : node.members;
  return removeEntries(text, listOf(trivia, node), (index) => removed.has(entries[index] as Member | ConfigNode));
}

function rename({ document }: Editable, path: ConfigPath, key: string): Splice {
  const parent = document.node(path.slice(0, -1)) as ConfigNode;
  const member = parent.kind === "object" ? document.member(parent, path.at(-1) as string) : undefined;
  if (member === undefined) throw new Refusal("only a key can be renamed");
  if (member.key !== key && document.member(parent, key) !== undefined)
    throw new Refusal(`the key ${JSON.stringify(key)} is there already`);
  return { ...member.keySpan, text: JSON.stringify(key) };
}
