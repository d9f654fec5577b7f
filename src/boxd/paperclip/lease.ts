import type { PluginEnvironmentLease } from "@paperclipai/plugin-sdk";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { Connection } from "./config.ts";
import { refusal } from "./errors.ts";

/** Directory of a run's files, below the machine user's home. */
export const REMOTE_CWD = "/home/boxd/paperclip-workspace";

/** What the host stored with a lease (docs/contract/paperclip.md#metadata-of-a-lease). */
export type LeaseMetadata = Readonly<Record<string, unknown>> | undefined;

/** What a provider remembers of a lease, in its metadata. */
export interface LeaseStamp {
  readonly companyId: string;
  /** False for a run whose machine no later run can resume: it has no workspace of its own (docs/contract/paperclip.md#reuse). */
  readonly resumable: boolean;
  /** The moment, ISO 8601, at which the host wants the machine to be gone, where it named one. */
  readonly expiresAt?: string;
}

/**
 * A lease as the host stores it. Its id is the machine's for life. No secret and no address is in it, and of the settings only `reuseLease`, by which the host finds a
 * reusable lease again.
 */
export function leaseFor(
  id: string,
  stamp: LeaseStamp,
  { reuseLease }: Connection,
  expiresAt?: Date | null,
): PluginEnvironmentLease {
  // Under one key of our own: a setting's name would have to carry exactly the setting's value.
  const metadata = { remoteCwd: REMOTE_CWD, shellCommand: "sh", reuseLease, boxd: stamp };
  return withoutUndefined({ providerLeaseId: id, metadata, expiresAt: expiresAt?.toISOString() });
}

/** What an earlier call stamped a lease with; what is not there or of another kind counts as not said. */
export function stampOf(metadata: LeaseMetadata): Partial<LeaseStamp> {
  const stamp = metadata?.["boxd"];
  if (typeof stamp !== "object" || stamp === null) return {};
  const { companyId, resumable, expiresAt } = stamp as Readonly<Record<string, unknown>>;
  return withoutUndefined({
    companyId: typeof companyId === "string" ? companyId : undefined,
    resumable: typeof resumable === "boolean" ? resumable : undefined,
    expiresAt: typeof expiresAt === "string" ? expiresAt : undefined,
  });
}

/** Throws when the lease was made for another company. */
export function assertCompany(metadata: LeaseMetadata, companyId: string): void {
  const owner = stampOf(metadata).companyId;
  if (owner !== undefined && companyId !== "" && owner !== companyId)
    throw refusal("the lease belongs to another company");
}

/** What newer hosts call a run that went well; leases of any other are never resumed. */
const GOOD_ENDS = new Set(["succeeded", "success", "completed", "released"]);

/**
 * Whether a released machine is to be kept: the stamp of its acquisition and the present settings must both say so, its run must have a workspace to
 * be found again by, and must not have failed. Otherwise the host never resumes the lease, and a kept machine would be kept for nobody.
 */
export function isReusable(metadata: LeaseMetadata, { reuseLease }: Connection, runStatus?: string): boolean {
  const isFailed = runStatus !== undefined && !GOOD_ENDS.has(runStatus);
  return (
    reuseLease && (metadata?.["reuseLease"] ?? true) === true && stampOf(metadata).resumable !== false && !isFailed
  );
}

export function remoteCwd(metadata: LeaseMetadata): string {
  const cwd = metadata?.["remoteCwd"];
  return typeof cwd === "string" && cwd.startsWith("/") ? cwd : REMOTE_CWD;
}
