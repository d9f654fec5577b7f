import type { ConfigPath } from "../../base/config-path.ts";
import { isJsonObject, type JsonValue } from "../../base/json.ts";
import type { ConfigChange } from "../../diagnostics/diagnostic.ts";

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

/** What a value must be after a change; the editor's result is held against it. Undefined where the change cannot be made. */
export function expectedValue(
  value: JsonValue | undefined,
  change: ConfigChange,
  path: ConfigPath = change.path,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return change.kind === "set" ? change.value : undefined;
  // A set makes the objects and arrays that are missing on its way.
  const made = typeof step === "number" ? [] : {};
  const holder = value === undefined && change.kind === "set" ? made : value;
  if (typeof step === "number") return Array.isArray(holder) ? expectedItems(holder, step, rest, change) : undefined;
  if (!isJsonObject(holder)) return undefined;
  if (rest.length > 0 || change.kind === "set") {
    const child = expectedValue(Object.hasOwn(holder, step) ? holder[step] : undefined, change, rest);
    return child === undefined ? undefined : { ...holder, [step]: child };
  }
  if (!Object.hasOwn(holder, step)) return undefined;
  const { [step]: old, ...others } = holder;
  if (change.kind === "remove") return others;
  return Object.hasOwn(others, change.key) ? undefined : { ...others, [change.key]: old as JsonValue };
}

function expectedItems(
  items: readonly JsonValue[],
  index: number,
  rest: ConfigPath,
  change: ConfigChange,
): JsonValue | undefined {
  if (rest.length === 0 && change.kind === "remove")
    return index < items.length ? items.toSpliced(index, 1) : undefined;
  const item = index <= items.length ? expectedValue(items[index], change, rest) : undefined;
  return item === undefined ? undefined : items.toSpliced(index, 1, item);
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
