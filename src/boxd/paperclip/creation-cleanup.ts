import type { CreationCleanup } from "./errors.ts";
import { refusal } from "./errors.ts";

/** What the host recorded of a failed creation, as it hands it back. Throws when it is not complete: nothing may be deleted on a part of it. */
export function readCleanup(value: unknown): CreationCleanup {
  if (typeof value !== "object" || value === null) throw incomplete("it is not an object");
  const record = value as Readonly<Record<string, unknown>>;
  const observed = record["observedProviderLeaseId"];
  const runId = record["runId"];
  return {
    providerLeaseId: text(record, "providerLeaseId"),
    ...(typeof observed === "string" ? { observedProviderLeaseId: observed } : {}),
    companyId: text(record, "companyId"),
    environmentId: text(record, "environmentId"),
    ...(typeof runId === "string" ? { runId } : {}),
    attemptId: text(record, "attemptId"),
    accountFingerprint: text(record, "accountFingerprint"),
    labels: labelsOf(record["labels"]),
  };
}

function text(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  if (typeof value !== "string" || value === "") throw incomplete(`\`${name}\` is missing`);
  return value;
}

function labelsOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) throw incomplete("`labels` is missing");
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (entries.length === 0) throw incomplete("`labels` is empty");
  return Object.fromEntries(entries);
}

function incomplete(why: string): Error {
  return refusal(`the record of the failed creation cannot be used: ${why}`);
}
