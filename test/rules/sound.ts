const IMAGE = `ghcr.io/acme/qm@sha256:${"15".repeat(32)}`;

/** Per target, a deployment that uses nearly every field, to be laid over the sound one of fragments. */
export const SOUND_CONFIGS: { readonly [target: string]: { readonly [field: string]: unknown } } = {
  docker: {
    ...{ basePort: 8080, model: "acme", botName: "Acme", orgName: "Acme", apiUrl: "https://api.acme.dev" },
    env: { core: { HARNESS: "pi" }, "web-ui": { ACME_MODE: "1" } },
    secretEnv: { core: { ACME_TOKEN: "ACME_TOKEN" } },
    imageOverrides: { core: IMAGE },
    plugins: [
      {
        name: "acme-bot",
        image: IMAGE,
        env: { ACME_MODE: "1" },
        secrets: [{ name: "ACME_LOGIN", description: "for the bot", required: true }],
        coreAccess: true,
      },
    ],
    securityScreen: { backend: "model" },
  },
  fly: {
    ...{ model: "acme", services: ["core", "web-ui", "portal", "slack"], deployAppPrefix: "acme-d", imageFrom: "acme" },
    vms: { core: { size: "performance-2x", memory: "4gb" } },
    env: {
      core: {
        HARNESS: "pi",
        MODEL_PROVIDER: "anthropic",
        SNAPSHOT_STORE: "s3",
        TRANSFER_STORE: "s3",
        S3_BUCKET: "acme-qm-data",
        S3_REGION: "auto",
      },
      portal: {
        OIDC_ISSUER: "https://id.acme.dev",
        OIDC_JWKS_URI: "https://id.acme.dev/keys",
        OIDC_CLIENT_ID: "acme",
        OIDC_ALLOWED_EMAIL_DOMAIN: "acme.dev",
        OIDC_PRINCIPAL_CLAIM: "email",
      },
    },
  },
  aws: {
    services: ["core", "web-ui", "portal", "auth", "admin"],
    securityScreen: { backend: "proxy", provider: "acme", endpoint: "https://screen.acme.dev", rollout: "shadow" },
    secretEnv: { core: { SECURITY_SCREEN_PROXY_TOKEN: "SCREEN_TOKEN" } },
    env: {
      core: { HARNESS: "pi", AWS_DEPLOY_IMAGE: "acme-apps" },
      auth: { AUTH_EMAIL_TRANSPORT: "resend", AUTH_ALLOWED_EMAIL_DOMAIN: "acme.dev" },
      admin: { ADMIN_BASE_PATH: "/admin" },
    },
    aws: {
      ...{
        deploymentState: { table: "acme", namespace: "acme" },
        sharedAlb: true,
        backgroundWorkControl: true,
        predeployDbSnapshot: true,
      },
      ...{ dbRetentionMinDays: 7, objectStoreBucket: "acme-qm", deployBranch: "main", deployEnvironment: "production" },
      services: {
        core: {
          ...{
            taskRoleArn: "arn:aws:iam::210987654321:role/core",
            executionRoleArn: "arn:aws:iam::210987654321:role/exec",
          },
          ...{
            assumeRoleArns: ["arn:aws:iam::210987654321:role/data"],
            desiredCount: 1,
            targetGroup: "acme-core",
            logGroup: "/acme",
          },
          ...{ stopTimeout: 30, buildArgs: { ACME_MODE: "1" }, dockerfile: "docker/core" },
        },
      },
    },
  },
};

/** A tool.json that uses every field. */
export const SOUND_TOOL = {
  id: "acme",
  label: "Acme",
  advertise: "Looks things up at Acme",
  hints: ["Use it."],
  egress: ["api.acme.dev"],
  auth: {
    check: "acme whoami",
    reauth: "acme login",
    credentialPaths: [
      { path: ".config/acme", kind: "directory" },
      { path: ".acmerc", kind: "file" },
    ],
    splitEnv: { ACME_USER: "u-{actingSlackUserId}" },
    broker: {
      kind: "aws-role",
      roleArnEnv: "ACME_ROLE",
      regionEnv: "ACME_REGION",
      region: "us-west-2",
      sessionActions: ["s3:GetObject"],
    },
  },
  approvals: [{ command: "delete", decision: "deny", reason: "it cannot be undone" }, { pattern: "\\bacme\\b purge" }],
  install: {
    binary: "acme",
    files: [
      { from: "acme", to: "/usr/local/bin/acme", mode: "0755" },
      { from: "lib.sh", to: "/usr/local/lib/acme/lib.sh" },
    ],
  },
};
