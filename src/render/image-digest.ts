import type { Workload } from "../deployment/deployment.ts";

const DIGEST = /@(sha256:[0-9a-f]{64})$/;

/** The digest that a workload's image is pinned by; null without an image or without a pin. */
export function imageDigest(workload: Workload): string | null {
  return DIGEST.exec(workload.image?.reference ?? "")?.[1] ?? null;
}
