import { PortViolation } from "./errors.ts";

type Check = (value: unknown) => boolean;

/** Checks for one field each; `undefined` counts as absent, as it does for the SDK. */
export const is = {
  string: (value: unknown): boolean => typeof value === "string",
  boolean: (value: unknown): boolean => typeof value === "boolean",
  number: (value: unknown): boolean => typeof value === "number",
  strings: (value: unknown): boolean => Array.isArray(value) && value.every((entry) => typeof entry === "string"),
  record: (value: unknown): boolean =>
    isPlain(value) && Object.values(value).every((entry) => typeof entry === "string"),
  plain: (value: unknown): boolean => isPlain(value),
} as const satisfies Record<string, Check>;

/** Throws a `PortViolation` unless `value` is a plain object with known, rightly typed fields. */
export function checkObject(
  what: string,
  value: unknown,
  fields: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): void {
  if (!isPlain(value)) throw new PortViolation(`${what} must be a plain object`);
  for (const [key, entry] of Object.entries(value)) {
    const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (check === undefined) throw new PortViolation(`${what}: unknown option \`${key}\``);
    if (entry !== undefined && !check(entry)) throw new PortViolation(`${what}: wrong type of \`${key}\``);
  }
  for (const key of required) {
    if (value[key] === undefined) throw new PortViolation(`${what}: \`${key}\` is missing`);
  }
}

/** Throws a `PortViolation` unless `value` is a non-empty string. */
export function checkText(what: string, value: unknown): asserts value is string {
  if (typeof value !== "string" || value === "") throw new PortViolation(`${what} must be a non-empty string`);
}

/** Throws a `PortViolation` when more arguments came than the method takes: extra ones would be ignored in silence. */
export function checkArity(method: string, args: readonly unknown[], most: number): void {
  if (args.length > most)
    throw new PortViolation(`${method} takes at most ${String(most)} arguments, got ${String(args.length)}`);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
