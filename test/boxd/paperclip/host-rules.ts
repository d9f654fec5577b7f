/** The host's side of the contract, restated from its public description (docs/contract/paperclip.md), for judging what the plugin hands over. */
import * as z from "zod/mini";

const ID = z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,200}$/));

/** `paperclip/environment-creation-cleanup/v1`: an envelope that does not fit is dropped without a word. */
export const cleanupSchema = z.object({
  providerLeaseId: ID,
  observedProviderLeaseId: z.optional(ID),
  companyId: ID,
  environmentId: ID,
  runId: z.optional(ID),
  attemptId: ID,
  accountFingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  labels: z
    .record(z.string().check(z.regex(/^paperclip-[a-z-]+$/)), ID)
    .check(z.refine((labels) => Object.keys(labels).length <= 16)),
});

export const diagnosticSchema = z.object({
  phase: z.enum(["create", "workspace", "shell", "expiry", "sentinel"]),
  elapsedMs: z.int().check(z.minimum(0), z.maximum(604_800_000)),
  budgetMs: z.int().check(z.minimum(1), z.maximum(86_400_000)),
});

/** The words by which the host takes a failed resume for passing. */
export const RETRYABLE = /timeout|timed out|rate limit|temporar|network|connection reset|service unavailable/i;

/** Whether the host finds a lease again: the flag, and every setting that the metadata names with exactly its stored value. */
export function isFoundAgain(
  stored: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>>,
): boolean {
  const merged: Record<string, unknown> = { ...stored, ...metadata };
  if (merged["reuseLease"] !== true) return false;
  return Object.entries(stored).every(
    ([key, value]) => value === null || JSON.stringify(merged[key]) === JSON.stringify(value),
  );
}
