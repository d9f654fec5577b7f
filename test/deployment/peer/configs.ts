const AWS = {
  accountId: "210987654321",
  region: "us-west-2",
  cluster: "acme-qm",
  deployRoleArn: "arn:aws:iam::210987654321:role/acme-qm-deploy",
  secretsPrefix: "acme-qm/",
  imageLabel: "stable",
  networking: { cloudMapNamespace: "acme-qm.internal" },
  alb: "acme-qm",
  rdsInstance: "acme-qm-db",
  services: {
    core: { ecrRepository: "qm/core", ecsService: "acme-core", cpu: 2048, memory: 4096 },
    "web-ui": { ecrRepository: "qm/web-ui", ecsService: "acme-web-ui", cpu: 512, memory: 1024 },
    portal: { ecrRepository: "qm/portal", ecsService: "acme-portal", cpu: 512, memory: 1024 },
  },
} as const;

const PLUGIN_AWS = {
  ecrRepository: "qm/ledger",
  ecsService: "acme-ledger",
  cpu: 256,
  memory: 512,
  architecture: "arm64",
} as const;
const ALL_SERVICES = ["core", "slack", "web-ui", "admin", "portal", "auth"] as const;
const ADMIN = { core: { ADMIN_GRANTS: "ADMIN_GRANTS" } } as const;
const STORES = { SNAPSHOT_STORE: "s3", TRANSFER_STORE: "s3", S3_BUCKET: "acme-data", S3_REGION: "auto" } as const;
const PLUGIN_IMAGE = `ghcr.io/acme/ledger@sha256:${"b".repeat(64)}`;

interface AnyConfig {
  readonly [key: string]: unknown;
}

function docker(more: AnyConfig): AnyConfig {
  return {
    contract: 1,
    orgId: "acme",
    publicUrl: "http://localhost:8082",
    target: "docker",
    modelProvider: "anthropic",
    services: ["core", "web-ui"],
    ...more,
  };
}

function fly(more: AnyConfig): AnyConfig {
  return {
    contract: 1,
    orgId: "acme",
    publicUrl: "https://acme-portal.fly.dev",
    target: "fly",
    modelProvider: "anthropic",
    region: "sjc",
    flyOrg: "acme-inc",
    services: [...ALL_SERVICES],
    secretEnv: ADMIN,
    env: { core: { ...STORES }, auth: { AUTH_EMAIL_TRANSPORT: "resend" } },
    ...more,
  };
}

function aws(more: AnyConfig): AnyConfig {
  return {
    contract: 1,
    orgId: "acme",
    publicUrl: "https://qm.example.com",
    target: "aws",
    modelProvider: "anthropic",
    services: [...ALL_SERVICES],
    secretEnv: ADMIN,
    env: { core: { HARNESS: "pi", AWS_DEPLOY_IMAGE: "acme-apps" }, auth: { AUTH_EMAIL_TRANSPORT: "resend" } },
    aws: AWS,
    ...more,
  };
}

const GOOGLE = {
  OIDC_ISSUER: "https://accounts.google.com",
  OIDC_AUTH_ENDPOINT: "https://accounts.google.com/o/oauth2/v2/auth",
  OIDC_TOKEN_ENDPOINT: "https://oauth2.googleapis.com/token",
  OIDC_USERINFO_ENDPOINT: "https://openidconnect.googleapis.com/v1/userinfo",
  OIDC_JWKS_URI: "https://www.googleapis.com/oauth2/v3/certs",
  OIDC_SCOPES: "openid email profile",
  OIDC_PRINCIPAL_CLAIM: "email",
  OIDC_ALLOWED_EMAIL_DOMAIN: "acme.com",
} as const;

/** Configurations that qm 0.1.12 accepts, by name: what it renders for them, we render, apart from differences.ts. */
export const PEER_CONFIGS: { readonly [name: string]: AnyConfig } = {
  "docker/nothing chosen": docker({}),
  "docker/local": docker({ env: { core: { HARNESS: "pi" } }, sandbox: { backend: "local" } }),
  "docker/local with an image": docker({ sandbox: { backend: "local", image: "acme/sandbox:1" } }),
  "docker/sprites": docker({
    model: "claude-x",
    sandbox: { backend: "sprites", env: { A: "1" }, secretEnv: ["TOOL_LOGIN"] },
  }),
  "docker/agent37": docker({ sandbox: { backend: "agent37" } }),
  "docker/boxd through env": docker({
    env: { core: { SANDBOX_BACKEND: "boxd", HARNESS: "pi" } },
    secretEnv: { core: { BOXD_API_KEY: "BOXD_API_KEY" } },
  }),
  "docker/local through env": docker({ env: { core: { SANDBOX_BACKEND: "local" } } }),
  "docker/every service": docker({
    publicUrl: "https://qm.example.com",
    services: [...ALL_SERVICES],
    botName: "Ada",
    orgName: "Acme Inc",
    secretEnv: ADMIN,
    env: {
      core: { HARNESS: "pi", PI_MODEL: "core-wins" },
      slack: { SLACK_EVENTS_MODE: "http", PI_MODEL: "slack-loses" },
      auth: { AUTH_EMAIL_TRANSPORT: "smtp", AUTH_ALLOWED_EMAIL_DOMAIN: "acme.com" },
      admin: { ADMIN_THEME: "dark" },
      portal: { PORTAL_SESSION_TTL_S: "60" },
      "web-ui": { WEB_UI_PRINCIPALS: "a,b" },
    },
  }),
  "docker/slack sets the model": docker({
    services: ["core", "slack", "web-ui"],
    model: "declared",
    env: { slack: { PI_MODEL: "from-slack" } },
  }),
  "docker/screen": docker({
    securityScreen: { backend: "proxy", provider: "acme", endpoint: "https://screen.acme.com", rollout: "shadow" },
    secretEnv: { core: { SECURITY_SCREEN_PROXY_TOKEN: "SCREEN_TOKEN" } },
  }),
  "fly/nothing chosen": fly({}),
  "fly/sprites": fly({ sandbox: { backend: "sprites", env: { API: "https://x" }, secretEnv: ["TOOL_LOGIN"] } }),
  "fly/agent37": fly({
    sandbox: { backend: "agent37" },
    botName: "Ada",
    orgName: "Acme",
    model: "m",
    appPrefix: "acme-qm",
    deployAppPrefix: "acme-apps",
  }),
  "fly/boxd through env": fly({
    env: {
      core: { ...STORES, SANDBOX_BACKEND: "boxd", BOXD_NAME_PREFIX: "acme" },
      auth: { AUTH_EMAIL_TRANSPORT: "resend" },
    },
  }),
  "fly/own identity provider": fly({
    services: ["core", "web-ui", "portal"],
    secretEnv: {},
    env: { core: { ...STORES, FLY_ORG: "ignored" }, portal: GOOGLE },
  }),
  "fly/slack sets the model": fly({
    model: "declared",
    env: { core: STORES, slack: { PI_MODEL: "from-slack", FROM_SLACK: "1" }, auth: { AUTH_EMAIL_TRANSPORT: "resend" } },
  }),
  "fly/plugins": fly({
    plugins: [
      {
        name: "ledger",
        image: PLUGIN_IMAGE,
        env: { LEDGER: "1" },
        secrets: [{ name: "LEDGER_LOGIN" }, { name: "LEDGER_EXTRA", required: false }],
      },
      { name: "alone", image: PLUGIN_IMAGE, coreAccess: false },
    ],
  }),
  "aws/default backend": aws({}),
  "aws/lambda declared": aws({
    sandbox: { backend: "aws" },
    env: {
      core: {
        HARNESS: "pi",
        AWS_DEPLOY_IMAGE: "acme-apps",
        AWS_DEPLOY_IMAGE_VERSION: "3",
        AWS_DEPLOY_EXEC_ROLE_ARN: "arn:aws:iam::210987654321:role/run",
        S3_BUCKET: "own",
      },
      auth: { AUTH_EMAIL_TRANSPORT: "resend", AUTH_ALLOWED_EMAIL_DOMAIN: "acme.com" },
    },
  }),
  "aws/sprites": aws({ sandbox: { backend: "sprites", env: { A: "b" }, secretEnv: ["TOOL_LOGIN"] } }),
  "aws/boxd through env": aws({
    env: {
      core: { HARNESS: "pi", AWS_DEPLOY_IMAGE: "acme-apps", SANDBOX_BACKEND: "boxd", BOXD_ORG: "acme" },
      auth: { AUTH_EMAIL_TRANSPORT: "resend" },
    },
    secretEnv: { core: { ADMIN_GRANTS: "ADMIN_GRANTS", BOXD_API_KEY: "BOXD_API_KEY" } },
  }),
  "aws/another deploy provider, own bucket": aws({
    env: {
      core: { HARNESS: "pi", DEPLOY_PROVIDER: "fly", SANDBOX_BACKEND: "sprites", SESSION_STORE: "loses" },
      auth: { AUTH_EMAIL_TRANSPORT: "smtp" },
    },
    aws: { ...AWS, objectStoreBucket: "acme-store" },
  }),
  "aws/plugin": aws({
    plugins: [{ name: "ledger", image: PLUGIN_IMAGE, env: { LEDGER: "1" }, secrets: [{ name: "ADMIN_GRANTS" }] }],
    aws: { ...AWS, services: { ...AWS.services, ledger: PLUGIN_AWS } },
  }),
  "aws/codex and openai": aws({
    modelProvider: "openai",
    env: {
      core: { HARNESS: "codex", AWS_DEPLOY_IMAGE: "acme-apps", GOOGLE_OAUTH_CLIENT_ID: "id" },
      auth: { AUTH_EMAIL_TRANSPORT: "resend" },
    },
  }),
  "aws/slack names the backend": aws({
    env: {
      core: { HARNESS: "pi", AWS_DEPLOY_IMAGE: "acme-apps" },
      slack: { SANDBOX_BACKEND: "sprites" },
      auth: { AUTH_EMAIL_TRANSPORT: "resend" },
    },
  }),
  "aws/secondary": aws({
    env: {
      core: {
        HARNESS: "pi",
        AWS_DEPLOY_IMAGE: "acme-apps",
        SANDBOX_BACKEND: "agent37",
        SANDBOX_SECONDARY_BACKEND: "aws",
      },
      auth: { AUTH_EMAIL_TRANSPORT: "resend" },
    },
  }),
  "aws/scopes": aws({
    env: {
      core: {
        HARNESS: "pi",
        AWS_DEPLOY_IMAGE: "acme-apps",
        SANDBOX_BACKEND: "sprites",
        SANDBOX_SCOPE_BACKENDS: '{"research":"agent37"}',
      },
      auth: { AUTH_EMAIL_TRANSPORT: "resend" },
    },
  }),
};
