import { flag, number } from "./readings.ts";
import { text } from "./text.ts";
import { choice } from "./words.ts";

/** Where agents run, and how the apps that they deploy are served. */
export const CORE_RUNTIME = {
  "core.sandboxBackend": choice("SANDBOX_BACKEND", "What runs agents' sandboxes", (release) => release.coreBackends, {
    trim: true,
    setBy: "`sandbox.backend`",
    ownRules: true,
  }),
  "core.secondaryBackend": choice(
    "SANDBOX_SECONDARY_BACKEND",
    "A second backend, for the scopes that are moved to it",
    (release) => release.coreBackends,
    { trim: true, ownRules: true },
  ),
  "core.scopeBackends": text("SANDBOX_SCOPE_BACKENDS", "Backends of single scopes", {
    takes: "a JSON object from scopes to backends",
    ownRules: true,
  }),

  "core.memoryRecall": choice("MEMORY_RECALL", "Which memories agents see", ["off", "writable", "visible"], {
    otherwise: "it counts as `visible`",
    default: "visible",
  }),
  "core.memoryCapture": choice("MEMORY_CAPTURE", "Whether talks are remembered", ["off", "writable"], {
    otherwise: "it counts as `writable`",
    default: "writable",
  }),
  "core.memoryStrategy": choice(
    "MEMORY_STRATEGY",
    "How talks become memories",
    ["per-turn", "agent-only", "scratch-promote"],
    { otherwise: "it counts as `per-turn`", default: "per-turn" },
  ),

  "core.deployProvider": choice(
    "DEPLOY_PROVIDER",
    "What serves the apps that agents deploy",
    (release) => release.deployProviders,
    { blankCounts: true, setBy: "the target on aws", default: "docker" },
  ),
  "core.deployAppsDomain": text("DEPLOY_APPS_DOMAIN", "Domain under which agents' apps are served", {
    takes: "a domain",
  }),
  "core.deployAppsLoginUrl": text(
    "DEPLOY_APPS_LOGIN_URL",
    "Where visitors of agents' apps sign in; it goes with DEPLOY_APPS_SESSION_SECRET",
    { takes: "an http or https URL", ownRules: true },
  ),
  "core.deployAppsSessionSecret": text(
    "DEPLOY_APPS_SESSION_SECRET",
    "Key of the sign-in to agents' apps: a secret; it goes with DEPLOY_APPS_LOGIN_URL",
    { isSecret: true, ownRules: true },
  ),
  "core.deployGitDirectory": text("DEPLOY_GIT_DIR", "Directory of the apps' git repositories", {
    takes: "a path in the container",
  }),
  "core.deployIdle": number("DEPLOY_IDLE_TTL_MS", "Milliseconds after which an idle app is stopped"),
  "core.deployDial": number("DEPLOY_DIAL_TIMEOUT_MS", "Milliseconds that an app has to answer", { default: "20000" }),

  "core.awsPublicOrigin": text(
    "AWS_PUBLIC_ORIGIN_URL",
    "Where qm's own `up` finds the load balancer before `publicUrl` leads there",
    {
      takes: "an http or https URL",
    },
  ),
  "core.dockerHost": text("DOCKER_HOST", "Docker daemon that core starts containers with", {
    setBy: "the target on docker",
  }),
  "core.containerName": text("QM_CORE_CONTAINER", "Core's own container, which sandboxes are attached to", {
    setBy: "the target on docker",
  }),

  "core.awsDeployAppsDomain": text(
    "AWS_DEPLOY_APPS_DOMAIN",
    "Domain of agents' apps on aws; AWS_DEPLOY_GATE_SECRET is demanded then",
    { takes: "a domain", ownRules: true },
  ),
  "core.awsDeployImage": text("AWS_DEPLOY_IMAGE", "MicroVM image of agents' apps", {
    example: "acme-apps",
    ownRules: true,
  }),
  "core.awsDeployImageVersion": text(
    "AWS_DEPLOY_IMAGE_VERSION",
    "Version of the MicroVM image, the newest where it is not set",
  ),
  "core.awsDeployRegion": text("AWS_DEPLOY_REGION", "Region of agents' apps", { setBy: "`aws.region`" }),
  "core.awsDeployRole": text("AWS_DEPLOY_EXEC_ROLE_ARN", "Role that agents' apps run with", {
    takes: "the ARN of an IAM role",
    ownRules: true,
  }),
  "core.awsDeployProfile": text("AWS_DEPLOY_PROFILE", "Profile of AWS credentials for agents' apps"),
  "core.awsDeployIngress": text("AWS_DEPLOY_INGRESS_CONNECTORS", "Network connectors through which apps are reached", {
    takes: "ARNs with commas between them",
  }),
  "core.awsDeployEgress": text("AWS_DEPLOY_EGRESS_CONNECTORS", "Network connectors through which apps reach others", {
    takes: "ARNs with commas between them",
  }),
  "core.awsDeployDataBucket": text("AWS_DEPLOY_DATA_BUCKET", "Bucket of the apps' databases", { ownRules: true }),
  "core.awsDeployDataPrefix": text("AWS_DEPLOY_DATA_PREFIX", "Start of the keys of the apps' databases"),
  "core.awsDeployDataRole": text(
    "AWS_DEPLOY_DATA_ROLE_ARN",
    "Role with which apps reach their databases; it needs the bucket",
    { takes: "the ARN of an IAM role", ownRules: true },
  ),
  "core.awsDeployAgentPort": number("AWS_DEPLOY_AGENT_PORT", "Port of the helper in an app's MicroVM"),
  "core.awsDeployAppPort": number("AWS_DEPLOY_APP_PORT", "Port of the app in its MicroVM"),
  "core.awsDeployMaxDuration": number("AWS_DEPLOY_MAX_DURATION_SEC", "Seconds that an app's MicroVM lives at most"),
  "core.awsDeployRotate": number("AWS_DEPLOY_ROTATE_AFTER_SEC", "Seconds after which an app moves to a new MicroVM"),
  "core.awsDeployMaxIdle": number("AWS_DEPLOY_MAX_IDLE_SEC", "Seconds after which an idle app is suspended"),
  "core.awsDeploySuspended": number("AWS_DEPLOY_SUSPENDED_SEC", "Seconds after which a suspended app is stopped"),
  "core.awsDeployTokenTtl": number("AWS_DEPLOY_TOKEN_TTL_MIN", "Minutes that a visitor's pass to an app counts"),
  "core.awsDeploySnapshot": number(
    "AWS_DEPLOY_SNAPSHOT_INTERVAL_MS",
    "Milliseconds between two copies of an app's data, at least 60000",
  ),

  "core.flyApiToken": text("FLY_API_TOKEN", "Fly token for the machines of sandboxes: a secret", {
    isSecret: true,
    ownRules: true,
  }),
  "core.flyOrg": text("FLY_ORG", "Fly organisation of agents' apps", { setBy: "`flyOrg`", ownRules: true }),
  "core.flyRegion": text("FLY_REGION", "Fly region of agents' apps", { setBy: "Fly" }),
  "core.flyBaseImage": text("FLY_BASE_IMAGE", "Layer image that Sprites boot", {
    setBy: "`sandbox.image`",
    ownRules: true,
  }),
  "core.flyDeployAppPrefix": text("FLY_DEPLOY_APP_PREFIX", "Start of the names of agents' Fly apps", {
    setBy: "`deployAppPrefix`",
    ownRules: true,
  }),
  "core.flyDeployBaseImage": text("FLY_DEPLOY_BASE_IMAGE", "Image that agents' Fly apps start from", {
    ownRules: true,
  }),
  "core.flyDeploySharedApp": text("FLY_DEPLOY_SHARED_APP_NAME", "One Fly app that serves all of agents' apps"),

  "core.backgroundDeploymentId": text("BACKGROUND_DEPLOYMENT_ID", "Deployment whose background work core does", {
    setBy: "qm's background work control",
    ownRules: true,
  }),
  "core.devIntrospection": flag("DEV_INTROSPECTION", "Answer questions about the Slack part on DEV_HEALTH_PORT"),
  "core.devHealthPort": number("DEV_HEALTH_PORT", "Port of DEV_INTROSPECTION", {
    positive: true,
    otherwise: "any free port is taken",
  }),
} as const;
