import { existsSync, readFileSync } from "node:fs";

/** The program ends with an error. */
export class Refusal extends Error {}

/** The answer that something is not there, which a page may ask for. */
export class Absent extends Refusal {}

/** Ends the call with an error unless a condition holds. */
export function must(condition, message) {
  if (!condition) throw new Refusal(message);
}

/** The text of a file that a call names. */
export function fileText(path) {
  must(existsSync(path), `no such file: ${path}`);
  return readFileSync(path, "utf8");
}

/** A flag that takes a value, and one that takes none. */
export const VALUE = "value";
export const FLAG = "flag";
