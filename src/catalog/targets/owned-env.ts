import type { ServiceName, TargetName } from "../../config/written-config.ts";
import type { Release } from "../releases/release.ts";

type OwnedEnv = { readonly [target in TargetName]: { readonly [service in ServiceName]?: readonly string[] } };

/**
 * Names whose value the target decides after `env` was applied, so that a value in `env` never arrives and nobody says
 * so. What qm refuses outright is in `MANAGED_ENV`; what a sandbox backend sets is the backend's.
 */
const OWNED_ENV: OwnedEnv = {
  docker: { core: ["CORE_SIGNING_SECRET", "DATABASE_URL"] },
  fly: {
    core: ["FLY_ORG", "QM_DEPLOYMENT_ID"],
    "web-ui": ["QM_DEPLOYMENT_ID"],
    admin: ["QM_DEPLOYMENT_ID"],
    portal: ["QM_DEPLOYMENT_ID"],
    auth: ["QM_DEPLOYMENT_ID"],
  },
  aws: {
    core: ["AWS_DEPLOY_REGION", "RUN_STORE", "S3_REGION", "SESSION_STORE", "SNAPSHOT_STORE", "TRANSFER_STORE"],
    "web-ui": ["REQUIRE_SIGNED_PORTAL_IDENTITY"],
    admin: ["REQUIRE_SIGNED_PORTAL_IDENTITY"],
    portal: ["ADMIN_UPSTREAM", "PORTAL_XFF_TRUSTED_HOPS", "WEB_UI_UPSTREAM"],
  },
};

/** The names of a service's environment that `env` cannot change on a target; sorted. */
export function targetOwnedEnv(target: TargetName, release: Release, service: ServiceName): readonly string[] {
  return [...(OWNED_ENV[target][service] ?? []), ...(release.ownedEnv[target]?.[service] ?? [])].sort();
}
