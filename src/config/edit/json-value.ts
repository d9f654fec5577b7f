import type { ConfigPath } from "../../base/config-path.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { ValueChange } from "../../diagnostics/diagnostic.ts";

/** True for a value that a JSON text gives back as it is: finite numbers, no `__proto__`, well-formed text. */
export function isPlainJson(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.every(isPlainJson);
  if (!isJsonObject(value)) return typeof value === "boolean" || value === null;
  return Object.entries(value).every(
    ([key, child]) => key !== "__proto__" && key !== "//" && isPlainJson(key) && isPlainJson(child),
  );
}

/** What a value must be after changes; the editor's result is held against it. Undefined where one cannot be made. */
export function expectedValue(value: JsonValue, changes: readonly ValueChange[]): JsonValue | undefined {
  const editor = new ValueEditor();
  let now: JsonValue | undefined = value;
  for (const change of changes) {
    now = editor.change(now, change);
    if (now === undefined) return undefined;
  }
  return now;
}

/** Makes changes in values. What is handed in stays as it is: each object and array is copied once, however many changes it sees. */
export class ValueEditor {
  readonly #copies = new Set<unknown>();

  /** The value with a change at a path made in it; undefined where it cannot be made there. */
  change(value: JsonValue | undefined, change: ValueChange, path = change.path): JsonValue | undefined {
    const [step, ...rest] = path;
    if (step === undefined) return change.kind === "set" ? change.value : undefined;
    // A set makes the objects and arrays that are missing on its way.
    const made = typeof step === "number" ? [] : {};
    const holder = value === undefined && change.kind === "set" ? made : value;
    if (typeof step === "number") return Array.isArray(holder) ? this.#items(holder, step, rest, change) : undefined;
    return isJsonObject(holder) ? this.#members(holder, step, rest, change) : undefined;
  }

  #items(items: readonly JsonValue[], index: number, rest: ConfigPath, change: ValueChange): JsonValue | undefined {
    const isRemoval = rest.length === 0 && change.kind === "remove";
    if (index >= items.length && (isRemoval || index > items.length)) return undefined;
    const copy = this.#copies.has(items) ? (items as JsonValue[]) : [...items];
    this.#copies.add(copy);
    if (isRemoval) copy.splice(index, 1);
    else {
      const item = this.change(copy[index], change, rest);
      if (item === undefined) return undefined;
      copy[index] = item;
    }
    return copy;
  }

  #members(object: JsonObject, key: string, rest: ConfigPath, change: ValueChange): JsonValue | undefined {
    const old = Object.hasOwn(object, key) ? object[key] : undefined;
    const copy: { [key: string]: JsonValue } = this.#copies.has(object) ? object : { ...object };
    this.#copies.add(copy);
    if (rest.length > 0 || change.kind === "set") {
      const child = this.change(old, change, rest);
      if (child === undefined) return undefined;
      copy[key] = child;
      return copy;
    }
    if (old === undefined) return undefined;
    delete copy[key];
    if (change.kind === "remove") return copy;
    if (Object.hasOwn(copy, change.key)) return undefined;
    copy[change.key] = old;
    return copy;
  }
}

/** Equality of JSON values, whatever the order of keys. */
export function equalValues(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item: JsonValue, at) => equalValues(item, b[at]));
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equalValues(a[key], b[key]))
  );
}
