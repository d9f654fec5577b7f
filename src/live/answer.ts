import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";

/** A platform's answer is not what its documentation says (docs/contract/live.md). Names the place, never what stands there. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

/** The JSON of what a program printed. */
export function parseAnswer(text: string, of: string): JsonValue {
  const value = parseJson(text);
  if (value === undefined) throw new AnswerError(`${of} is not JSON`);
  return value;
}

/** An object that must be one; `of` is where it stands, for the message. */
export function object(value: JsonValue | undefined, of: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new AnswerError(`${of} is not an object`);
}

/** A list that must be one. What Go prints for a list without items is null. */
export function list(value: JsonValue | undefined, of: string): readonly JsonValue[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value as readonly JsonValue[];
  throw new AnswerError(`${of} is not a list`);
}

/** A text that must be one. */
export function text(value: JsonValue | undefined, of: string): string {
  if (typeof value === "string") return value;
  throw new AnswerError(`${of} is not a text`);
}

/** Where something may be left out: the value if it is an object. */
export function optionalObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The items of a list that may be left out. */
export function optionalList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** A text that may be left out. */
export function optionalText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A number that may be left out, or written as a text; null where it is neither. */
export function optionalNumber(value: JsonValue | undefined): number | null {
  if (typeof value === "string" && /^\d+$/.test(value)) return Number(value);
  return typeof value === "number" ? value : null;
}

/** An object's entries with texts for values. */
export function textEntries(value: JsonValue | undefined): readonly (readonly [name: string, value: string])[] {
  return Object.entries(optionalObject(value)).flatMap(([name, one]) => (typeof one === "string" ? [[name, one]] : []));
}
