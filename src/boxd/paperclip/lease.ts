import type { PluginEnvironmentLease } from "@paperclipai/plugin-sdk";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { Machine } from "../driver/index.ts";
import type { Connection } from "./config.ts";
import { refusal } from "./errors.ts";

/** Directory of a run's files, below the machine user's home. */
export const REMOTE_CWD = "/home/boxd/paperclip-workspace";

/** What the host stored with a lease (docs/contract/paperclip.md#metadata-of-a-lease). */
export type LeaseMetadata = Readonly<Record<string, unknown>> | undefined;

/**
 * A lease as the host stores it. Its id is the machine's for life. No secret is in it, and of the settings only `reuseLease`, by which the host finds a
 * reusable lease again.
 */
export function leaseFor(
  machine: Machine,
  { companyId }: { companyId: string },
  { reuseLease }: Connection,
  expiresAt?: Date | null,
): PluginEnvironmentLease {
  // Under one key of our own: a setting's name would have to carry exactly the setting's value.
  const stamp = { machineName: machine.name, companyId };
  const metadata = { remoteCwd: REMOTE_CWD, shellCommand: "sh", reuseLease, boxd: stamp };
  return withoutUndefined({ providerLeaseId: machine.id, metadata, expiresAt: expiresAt?.toISOString() });
}

/** Throws when the lease was made for another company. */
export function assertCompany(metadata: LeaseMetadata, companyId: string): void {
  const stamp = metadata?.["boxd"];
  const owner: unknown = typeof stamp === "object" && stamp !== null ? Reflect.get(stamp, "companyId") : undefined;
  if (typeof owner === "string" && companyId !== "" && owner !== companyId)
    throw refusal("the lease belongs to another company");
}

/**
 * Whether a released machine is to be kept. Both must say so: the stamp of its acquisition and the present settings. When only one does, the host never
 * finds the lease again, and a kept machine would be kept by nobody.
 */
export function isReusable(metadata: LeaseMetadata, { reuseLease }: Connection): boolean {
  return reuseLease && (metadata?.["reuseLease"] ?? true) === true;
}

export function remoteCwd(metadata: LeaseMetadata): string {
  const cwd = metadata?.["remoteCwd"];
  return typeof cwd === "string" && cwd.startsWith("/") ? cwd : REMOTE_CWD;
}
