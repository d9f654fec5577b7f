import type { ConfigPath } from "../../base/config-path.ts";
import type { JsonValue } from "../../base/json.ts";
import type { ConfigChange } from "../../diagnostics/diagnostic.ts";

type Mutable = { [key: string]: JsonValue } | JsonValue[];

/** A copy whose objects have no prototype. */
export function copyValue(value: JsonValue): JsonValue {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(copyValue);
  const copy = Object.create(null) as { [key: string]: JsonValue };
  for (const [key, child] of Object.entries(value))
    Object.defineProperty(copy, key, {
      value: copyValue(child as JsonValue),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return copy;
}

/** True for a value that a JSON text gives back as it is: finite numbers, no `__proto__`, well-formed text. */
export function isPlainJson(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.every(isPlainJson);
  if (value === null || typeof value !== "object") return typeof value === "boolean" || value === null;
  return Object.entries(value).every(
    ([key, child]) => key !== "__proto__" && key !== "//" && isPlainJson(key) && isPlainJson(child as JsonValue),
  );
}

/** What a value must be after a change; the editor's result is held against it. Undefined where the change cannot be made. */
export function expectedValue(root: JsonValue, change: ConfigChange): JsonValue | undefined {
  const result = copyValue(root);
  const parent = parentOf(result, change.path, change.kind === "set");
  const last = change.path.at(-1);
  if (parent === undefined || last === undefined || Array.isArray(parent) !== (typeof last === "number"))
    return undefined;
  if (Array.isArray(parent)) return changeItem(parent, last as number, change) ? result : undefined;
  const key = last as string;
  if (change.kind === "set") parent[key] = copyValue(change.value);
  else if (!Object.hasOwn(parent, key)) return undefined;
  else if (change.kind === "remove") delete parent[key];
  else if (change.key !== key && Object.hasOwn(parent, change.key)) return undefined;
  else {
    const value = parent[key] as JsonValue;
    delete parent[key];
    parent[change.key] = value;
  }
  return result;
}

function changeItem(items: JsonValue[], index: number, change: ConfigChange): boolean {
  if (change.kind === "rename" || index > items.length || (change.kind === "remove" && index === items.length))
    return false;
  if (change.kind === "set") items[index] = copyValue(change.value);
  else items.splice(index, 1);
  return true;
}

function parentOf(root: JsonValue, path: ConfigPath, create: boolean): Mutable | undefined {
  let node: JsonValue | undefined = root;
  for (const [at, step] of path.entries()) {
    if (node === null || typeof node !== "object" || Array.isArray(node) !== (typeof step === "number"))
      return undefined;
    if (at === path.length - 1) return node as Mutable;
    const holder = node as { [key: string | number]: JsonValue };
    if (!Object.hasOwn(holder, step)) {
      if (!create || (Array.isArray(node) && step !== node.length)) return undefined;
      holder[step] = typeof path[at + 1] === "number" ? [] : (Object.create(null) as { [key: string]: JsonValue });
    }
    node = holder[step];
  }
  return undefined;
}

/** Equality of JSON values, whatever the order of keys. */
export function equalValues(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (
    a === null ||
    b === null ||
    typeof a !== "object" ||
    typeof b !== "object" ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  const left = a as { [key: string]: JsonValue };
  const right = b as { [key: string]: JsonValue };
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalValues(left[key], right[key]))
  );
}
