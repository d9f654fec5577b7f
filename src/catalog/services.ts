import type { RunnableServiceName, ServiceName, TargetName } from "../config/written-config.ts";

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

/** Names of the environment that `env` and `secretEnv` cannot set because qm decides them. */
export interface ManagedEnv {
  readonly names: readonly string[];
  /** Null: every service. Plugins have their `PORT` managed too. */
  readonly services: readonly ServiceName[] | null;
  readonly target: TargetName | null;
  /** Only while this service is enabled; null: always. */
  readonly whileEnabled: ServiceName | null;
  /** The blocks that may not name it. */
  readonly blocks: readonly ("env" | "secretEnv")[];
  /** Completes "is decided by …". */
  readonly by: string;
}

/** Wiring of the portal with qm's own sign-in broker (docs/contract/qm-config.md#portal-and-sign-in). */
const BROKER_NAMES: { readonly portal: readonly string[]; readonly auth: readonly string[] } = {
  portal: [
    "AUTH_BROKER_PREFIX",
    "AUTH_BROKER_UPSTREAM",
    "OIDC_ALLOWED_EMAIL_DOMAIN",
    "OIDC_AUTH_ENDPOINT",
    "OIDC_CLIENT_ID",
    "OIDC_ISSUER",
    "OIDC_JWKS_URI",
    "OIDC_PRINCIPAL_CLAIM",
    "OIDC_SCOPES",
    "OIDC_TOKEN_ENDPOINT",
    "OIDC_USERINFO_ENDPOINT",
    "PORTAL_EXPECTED_TEAM_ID",
  ],
  auth: ["AUTH_CLIENT_ID", "AUTH_ISSUER", "AUTH_REDIRECT_URI"],
};

/** What qm refuses in `env` or `secretEnv` (docs/contract/qm-config.md#names-that-qm-manages). */
export const MANAGED_ENV: readonly ManagedEnv[] = [
  {
    names: ["PORT"],
    services: ["core", "web-ui", "admin", "portal", "auth"],
    target: null,
    whileEnabled: null,
    blocks: ["env", "secretEnv"],
    by: "the target",
  },
  {
    names: [
      "SECURITY_SCREEN_BACKEND",
      "SECURITY_SCREEN_PROXY_ENDPOINT",
      "SECURITY_SCREEN_PROXY_PROVIDER",
      "SECURITY_SCREEN_PROXY_ROLLOUT",
    ],
    services: null,
    target: null,
    whileEnabled: null,
    blocks: ["env", "secretEnv"],
    by: "`securityScreen`",
  },
  // A secret, so `env` may never hold it; `secretEnv` may route it to core alone.
  {
    names: ["SECURITY_SCREEN_PROXY_TOKEN"],
    services: null,
    target: null,
    whileEnabled: null,
    blocks: ["env"],
    by: "`secretEnv.core`",
  },
  {
    names: ["SECURITY_SCREEN_PROXY_TOKEN"],
    services: ["web-ui", "admin", "portal", "auth", "slack"],
    target: null,
    whileEnabled: null,
    blocks: ["secretEnv"],
    by: "`secretEnv.core`",
  },
  {
    names: ["BACKGROUND_DEPLOYMENT_ID"],
    services: ["core"],
    target: "aws",
    whileEnabled: null,
    blocks: ["env", "secretEnv"],
    by: "qm's background work control",
  },
  {
    names: BROKER_NAMES.portal,
    services: ["portal"],
    target: null,
    whileEnabled: "auth",
    blocks: ["env"],
    by: "the sign-in broker (service `auth`)",
  },
  {
    names: BROKER_NAMES.auth,
    services: ["auth"],
    target: null,
    whileEnabled: "auth",
    blocks: ["env"],
    by: "the sign-in broker (service `auth`)",
  },
];

/** The one path that qm serves the admin pages under behind a portal. */
export const ADMIN_BASE_PATH = "/admin";
