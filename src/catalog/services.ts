import type { ModelProviderName, RunnableServiceName, ServiceName, TargetName } from "../config/written-config.ts";
import type { Release } from "./releases/release.ts";
import { nameOf, type SettingKey } from "./settings/index.ts";

/** The port that every service and plugin listens on inside its container; `PORT` says so to it. */
export const SERVICE_PORT = 8080;

/** Services start in ascending order: what others call comes first. Plugins come last. */
export const START_ORDER: { readonly [service in RunnableServiceName]: number } = {
  core: 0,
  "web-ui": 20,
  admin: 30,
  auth: 35,
  portal: 40,
};

/** The one path that qm serves the admin pages under behind a portal. */
export const ADMIN_BASE_PATH = "/admin";

/** The harnesses that can call each provider's models (docs/contract/qm-config.md#model-provider-and-harness). */
export const PROVIDER_HARNESSES: { readonly [provider in ModelProviderName]: readonly string[] } = {
  anthropic: ["pi", "opencode", "claude", "mock"],
  openai: ["pi", "opencode", "codex", "mock"],
  openrouter: ["pi", "mock"],
};

/** Settings that `env` and `secretEnv` cannot set because qm decides them. */
interface ManagedSettings {
  readonly keys: readonly SettingKey[];
  /** Without it every service. Plugins have their port managed too. */
  readonly services?: readonly ServiceName[];
  /** Only on this target; without it on all. */
  readonly target?: TargetName;
  /** Only while this service is enabled; without it always. */
  readonly whileEnabled?: ServiceName;
  /** The blocks that may not name them. */
  readonly blocks: readonly ("env" | "secretEnv")[];
  /** Completes "is decided by …". */
  readonly by: string;
}

const BROKER = { whileEnabled: "auth", blocks: ["env"], by: "the sign-in broker (service `auth`)" } as const;

/** What qm refuses in `env` or `secretEnv` (docs/contract/qm-config.md#names-that-qm-manages). */
export const MANAGED_SETTINGS: readonly ManagedSettings[] = [
  {
    keys: ["all.port"],
    services: ["core", "web-ui", "admin", "portal", "auth"],
    blocks: ["env", "secretEnv"],
    by: "the target",
  },
  {
    keys: [
      "core.securityScreen",
      "core.securityScreenEndpoint",
      "core.securityScreenProvider",
      "core.securityScreenRollout",
    ],
    blocks: ["env", "secretEnv"],
    by: "`securityScreen`",
  },
  // A secret, so `env` may never hold it; `secretEnv` may route it to core alone.
  { keys: ["core.securityScreenToken"], blocks: ["env"], by: "`secretEnv.core`" },
  {
    keys: ["core.securityScreenToken"],
    services: ["web-ui", "admin", "portal", "auth", "slack"],
    blocks: ["secretEnv"],
    by: "`secretEnv.core`",
  },
  {
    keys: ["core.backgroundDeploymentId"],
    services: ["core"],
    target: "aws",
    blocks: ["env", "secretEnv"],
    by: "qm's background work control",
  },
  {
    ...BROKER,
    keys: [
      "portal.brokerPrefix",
      "portal.brokerUpstream",
      "portal.allowedEmailDomain",
      "portal.authEndpoint",
      "portal.clientId",
      "portal.issuer",
      "portal.jwksUri",
      "portal.principalClaim",
      "portal.scopes",
      "portal.tokenEndpoint",
      "portal.userinfoEndpoint",
      "portal.expectedTeamId",
    ],
    services: ["portal"],
  },
  { ...BROKER, keys: ["auth.clientId", "auth.issuer", "auth.redirectUri"], services: ["auth"] },
];

type OwnedSettings = {
  readonly [target in TargetName]: { readonly [service in ServiceName]?: readonly SettingKey[] };
};

/**
 * Settings whose value the target decides after `env` was applied, so that a value in `env` never arrives and nobody says
 * so. What qm refuses outright is in `MANAGED_SETTINGS`; what a sandbox backend sets is the backend's.
 */
const OWNED: OwnedSettings = {
  docker: { core: ["core.signingSecret", "core.databaseUrl"] },
  fly: {
    core: ["core.flyOrg", "all.deploymentId"],
    "web-ui": ["all.deploymentId"],
    admin: ["all.deploymentId"],
    portal: ["all.deploymentId"],
    auth: ["all.deploymentId"],
  },
  aws: {
    core: [
      "core.awsDeployRegion",
      "core.runStore",
      "core.s3Region",
      "core.sessionStore",
      "core.snapshotStore",
      "core.transferStore",
    ],
    "web-ui": ["web-ui.signedIdentity"],
    admin: ["web-ui.signedIdentity"],
    portal: ["portal.adminUpstream", "portal.trustedHops", "portal.webUiUpstream"],
  },
};

/** The names of a service's environment that `env` cannot change on a target; sorted. */
export function targetOwnedEnv(target: TargetName, release: Release, service: ServiceName): readonly string[] {
  const keys = [...(OWNED[target][service] ?? []), ...(release.ownedEnv[target]?.[service] ?? [])];
  return keys.map((key) => nameOf(release, key)).sort();
}
