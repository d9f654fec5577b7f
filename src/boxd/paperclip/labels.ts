import { createHash } from "node:crypto";
import { compareLabels, type Machine } from "../driver/index.ts";
import type { Connection } from "./config.ts";
import { refusal } from "./errors.ts";

/** Whom a machine is made for. */
export interface Scope {
  companyId: string;
  environmentId: string;
  runId: string;
}

/** What the host's cleanup envelope takes as an id; one that it does not take would make it drop the whole envelope. */
export const HOST_ID = /^[a-zA-Z0-9_-]{1,200}$/;

/** The three labels of every machine; their keys are those that the cleanup envelope takes. */
export function machineLabels({
  environmentId,
  runId,
}: Pick<Scope, "environmentId" | "runId">): Record<string, string> {
  return { "paperclip-provider": "boxd", "paperclip-environment": environmentId, "paperclip-run": runId };
}

/** Throws unless a failed creation for this scope could be reported to the host. */
export function assertScope(scope: Scope): void {
  for (const name of ["companyId", "environmentId", "runId"] as const) {
    if (!HOST_ID.test(scope[name]))
      throw refusal(
        `\`${name}\` must be 1 to 200 letters, digits, hyphens or underscores, or a failed creation could not be reported`,
      );
  }
}

/** Throws when the machine's record says that it belongs to somebody else. Labels can only veto: a record without any proves nothing. */
export function assertOurs(machine: Machine, environmentId: string): void {
  const expected = {
    "paperclip-provider": "boxd",
    ...(environmentId === "" ? {} : { "paperclip-environment": environmentId }),
  };
  if (compareLabels(machine, expected) === "contradict") {
    throw refusal(`machine ${machine.id} carries other labels than this environment's, so it is left alone`);
  }
}

/** Which boxd account a machine was made with, as 64 hex digits that do not give the key away. A new key of the same account counts as another. */
export function accountFingerprint({ apiKey, baseURL, org }: Connection): string {
  const parts = ["paperclip-boxd-account-v1", baseURL ?? "", org ?? "", apiKey];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
