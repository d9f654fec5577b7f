import type { TargetName } from "../config/written-config.ts";
import { BACKENDS, runnableUnder } from "./backends/index.ts";
import type { Release } from "./releases/release.ts";
import type { SecretRow } from "./secret-row.ts";

/** All rows of a release's secrets catalogue: its own, and those of the backends that can run under it. */
export function secretRows(release: Release): readonly SecretRow[] {
  const backends = BACKENDS.filter((backend) => runnableUnder(backend, release));
  return [...release.secrets, ...backends.flatMap((backend) => backend.secrets)];
}

export const MINIMUM_SECRET_LENGTH = 32;

/** Secrets of at least `MINIMUM_SECRET_LENGTH` characters, whatever the release demands (docs/contract/qm-config.md#values-of-secrets). */
export const LONG_SECRETS: readonly string[] = [
  "AUTH_CLIENT_SECRET",
  "AUTH_TOKEN_SECRET",
  "CAPABILITY_SECRET",
  "CONNECTOR_SECRET_KEY",
  "CORE_SIGNING_SECRET",
  "DEPLOYMENT_CONTROL_SECRET",
  "PORTAL_IDENTITY_SECRET",
  "PORTAL_SESSION_SECRET",
  "SKILL_SIGNING_SECRET",
];

/** Secrets that must differ from every other key: whoever holds one must not thereby hold the other. */
export const DISTINCT_SECRETS: readonly string[] = [
  "AUTH_TOKEN_SECRET",
  "CAPABILITY_SECRET",
  "CONNECTOR_SECRET_KEY",
  "PORTAL_IDENTITY_SECRET",
];

/** Secrets that must only differ from one other. */
export const DISTINCT_PAIRS: readonly (readonly [secret: string, other: string])[] = [
  ["PORTAL_SESSION_SECRET", "CORE_SIGNING_SECRET"],
  ["DEPLOYMENT_CONTROL_SECRET", "CORE_SIGNING_SECRET"],
];

/** Names of `.env` that commands of this toolkit read although no workload may be given them. */
export function namesCommandsRead(target: TargetName): readonly string[] {
  return [
    "BOXD_API_KEY",
    "FLY_SANDBOX_API_TOKEN",
    ...(target === "docker" ? ["DATABASE_URL", "POSTGRES_PASSWORD"] : []),
  ];
}
