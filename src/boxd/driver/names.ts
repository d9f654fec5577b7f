import { createHash, randomBytes } from "node:crypto";
import { BoxdDriverError } from "./errors.ts";

/** boxd's limit: a machine name is a DNS label (docs/contract/boxd.md#names). */
export const MAX_NAME_LENGTH = 63;

/** Lowercase DNS label that starts with a letter (a name that starts with a digit was refused by the live service). */
export function isMachineName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(name);
}

/** Throws `invalid` when boxd would refuse the name. */
export function assertMachineName(name: string): void {
  if (isMachineName(name)) return;
  const wanted = `a lowercase DNS label that starts with a letter, at most ${MAX_NAME_LENGTH} characters`;
  throw new BoxdDriverError("invalid", `machine name "${name}" must be ${wanted}`);
}

/** Throws `invalid` for what is no slug of an org. */
export function assertOrg(org: string): void {
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(org))
    throw new BoxdDriverError("invalid", `"${org}" is not an org slug`);
}

/**
 * `<prefix>-<12 hex digits>`: 48 random bits, so nobody else has a machine of this name and finding one proves that our own create call made
 * it. It is also the secret part of the machine's URL.
 */
export function uniqueName(prefix: string): string {
  const name = `${prefix}-${randomBytes(6).toString("hex")}`;
  assertMachineName(name);
  return name;
}

/**
 * The one machine of a scope: `<prefix>-<readable part, at most 40>-<6 hex digits of sha256(scope)>`, the naming that qm uses
 * (docs/contract/boxd.md#names), so that a fresh process finds the machine of an earlier one.
 */
export function scopeName(prefix: string, scope: string): string {
  const readable = scope
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  const hash = createHash("sha256").update(scope).digest("hex").slice(0, 6);
  const name = `${prefix}-${readable === "" ? "scope" : readable}-${hash}`;
  assertMachineName(name);
  return name;
}

/** A random token for one-off paths and markers inside a machine: letters and digits only, safe in any shell position. */
export function runToken(): string {
  return randomBytes(12).toString("hex");
}
