import { MODEL_PROVIDER_NAMES } from "../../config/written-config.ts";
import { baseUrl } from "./addresses.ts";
import { CORE_LIMITS } from "./core-limits.ts";
import { CORE_RUNTIME } from "./core-runtime.ts";
import { boolean, flag } from "./readings.ts";
import { shaped, text } from "./text.ts";
import { choice } from "./words.ts";

/** Harnesses of core that qm knows. `mock` answers without a model. */
const HARNESSES: readonly string[] = ["pi", "opencode", "codex", "claude", "mock"];

const URL_TEXT = { takes: "an http or https URL" };
const STORE = { otherwise: "sessions and runs are kept in memory, and lost with each restart" };
const REMOVED = { word: "sqlite", instead: "use `postgres`, with DATABASE_URL" };
const FILES = { otherwise: "core keeps them on its own disk", ownRules: ["fly"] } as const;

/** Who the deployment is, and where it is found. */
const IDENTITY = {
  "core.orgId": text("ORG_ID", "Organisation that sessions, people and machines belong to", {
    setBy: "`orgId`",
    default: "default-org",
  }),
  "core.nodeEnv": choice(
    "NODE_ENV",
    "Whether core demands what production needs",
    ["production", "development", "test"],
    { setBy: "the image of core", default: "production", ownRules: true },
  ),
  "core.publicWebUrl": text("PUBLIC_WEB_URL", "Address of the web interface in links that core writes", {
    ...URL_TEXT,
    setBy: "`publicUrl`",
    blank: "no links",
  }),
  "core.webUiPublicUrl": text("WEB_UI_PUBLIC_URL", "Address of web-ui in links of Slack messages", {
    ...URL_TEXT,
    setBy: "`publicUrl`",
  }),
  "core.publicApiUrl": text("PUBLIC_API_URL", "Address under which agents reach core", { ...URL_TEXT, ownRules: true }),
  "core.agentApiUrl": text("AGENT_API_URL", "Older name of PUBLIC_API_URL, read where that is absent", URL_TEXT),
  "core.allowedEmailDomain": text(
    "AUTH_ALLOWED_EMAIL_DOMAIN",
    "E-mail domain of the people whom the sign-in broker lets in",
    { takes: "one domain", setBy: "`env.auth.AUTH_ALLOWED_EMAIL_DOMAIN`" },
  ),
  "core.adminGrants": text("ADMIN_GRANTS", "Who is an administrator from the start", {
    takes: "`<principal>:org_admin`, with commas between them",
    isSecret: true,
    ownRules: true,
  }),
  "core.brandName": text("ORG_BRAND_SELF_LABEL", "What agents call themselves, at most 40 characters", {
    setBy: "`botName`",
  }),
  "core.brandOrganization": text(
    "ORG_BRAND_ORG_NAME",
    "Name of the organisation in the interface, at most 40 characters",
    { setBy: "`orgName`" },
  ),
  "core.brandMark": text("ORG_BRAND_MARK", "Mark of the organisation, one or two characters"),
  "core.brandAccent": shaped(
    "ORG_BRAND_ACCENT",
    "Accent colour of the interface",
    (value) => /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value),
    {
      takes: "a colour such as `#4f46e5`",
      unless: "is no colour in hex",
      help: "write it as `#rgb` or `#rrggbb`",
      otherwise: "it is dropped",
      example: "#4f46e5",
    },
  ),
  "core.buildSha": text("GIT_SHA", "Commit that core reports as its build"),
  "core.flyAppName": text("FLY_APP_NAME", "Name of core's own Fly app", { setBy: "Fly" }),
} as const;

/** Which model answers, and how agents run. */
const MODELS = {
  "core.harness": choice("HARNESS", "Program that runs an agent's turns; `mock` answers without a model", HARNESSES, {
    trim: true,
    always: true,
    default: "mock",
  }),
  "core.modelProvider": choice("MODEL_PROVIDER", "Company whose models answer", MODEL_PROVIDER_NAMES, {
    trim: true,
    always: true,
    setBy: "`modelProvider`",
  }),
  "core.model": text("PI_MODEL", "Model of the harnesses `pi` and `opencode`", { setBy: "`model`" }),
  "core.detectModel": text("PI_DETECT_MODEL", "Model that decides whether a message wants an answer"),
  "core.titleModel": text("PI_TITLE_MODEL", "Model that names sessions"),
  "core.judgeModel": text("PI_JUDGE_MODEL", "Model that judges what agents are about to do"),
  "core.opencodeModel": text("OPENCODE_MODEL", "Model of the harness `opencode`, where it is not PI_MODEL"),
  "core.codexModel": text("CODEX_MODEL", "Model of the harness `codex`"),
  "core.codexBinary": text("CODEX_BIN", "Program of the harness `codex`", { takes: "a path in the container" }),
  "core.codexHome": text("CODEX_HOME", "Directory in which codex keeps its state", {
    takes: "a path in the container",
  }),
  "core.claudeModel": text("CLAUDE_MODEL", "Model of the harness `claude`"),
  "core.claudeBinary": text("CLAUDE_BIN", "Program of the harness `claude`", { takes: "a path in the container" }),
  "core.anthropicBaseUrl": baseUrl("ANTHROPIC_BASE_URL", "Address of Anthropic's API, where it is not the public one"),
  "core.openaiBaseUrl": baseUrl("OPENAI_BASE_URL", "Address of OpenAI's API, where it is not the public one"),
  "core.openrouterBaseUrl": baseUrl(
    "OPENROUTER_BASE_URL",
    "Address of OpenRouter's API, where it is not the public one",
  ),
  "core.httpProxy": text("HTTP_PROXY", "Proxy that `codex` and `claude` reach the internet through", URL_TEXT),
  "core.httpsProxy": text("HTTPS_PROXY", "Proxy that `codex` and `claude` reach https addresses through", URL_TEXT),
  "core.allProxy": text("ALL_PROXY", "Proxy that `codex` and `claude` use for everything else", URL_TEXT),
  "core.noProxy": text("NO_PROXY", "Hosts that `codex` and `claude` reach without a proxy", {
    takes: "hosts with commas between them",
  }),
  "core.extraCaCerts": text("NODE_EXTRA_CA_CERTS", "File with further certificates to trust", {
    takes: "a path in the container",
  }),
  "core.captureRequests": boolean("PI_CAPTURE_REQUESTS", "Keep what is sent to the model with each run", {
    default: "true",
  }),
  "core.cacheSplit": boolean("PI_SYSTEM_CACHE_SPLIT", "Cache the fixed part of the system prompt apart", {
    default: "false",
  }),
  "core.securityPosture": choice(
    "HARNESS_SECURITY_POSTURE",
    "How far agents may go without a person's approval",
    ["dangerous", "auto", "strict"],
    { trim: true, anyCase: true, default: "auto" },
  ),
  "core.tapeMode": choice(
    "SESSION_TAPE_MODE",
    "Whether recorded sessions are only written or also read",
    ["shadow", "serve"],
    { otherwise: "it counts as `serve`", default: "serve" },
  ),
  "core.securityScreen": choice(
    "SECURITY_SCREEN_BACKEND",
    "What looks at messages before agents see them",
    (release) => [...new Set(["model", ...release.securityScreen])],
    { trim: true, anyCase: true, setBy: "`securityScreen`", default: "model" },
  ),
  "core.securityScreenEndpoint": text("SECURITY_SCREEN_PROXY_ENDPOINT", "Address of the security screen", {
    takes: "an https URL",
    setBy: "`securityScreen.endpoint`",
    ownRules: true,
  }),
  "core.securityScreenProvider": text("SECURITY_SCREEN_PROXY_PROVIDER", "Name of the security screen's provider", {
    takes: "a lower-case DNS label",
    setBy: "`securityScreen.provider`",
    ownRules: true,
  }),
  "core.securityScreenRollout": choice(
    "SECURITY_SCREEN_PROXY_ROLLOUT",
    "Whether the security screen only watches or also blocks",
    ["shadow", "enforce"],
    { trim: true, anyCase: true, setBy: "`securityScreen.rollout`" },
  ),
  "core.securityScreenToken": text("SECURITY_SCREEN_PROXY_TOKEN", "Token for the security screen: a secret", {
    isSecret: true,
    ownRules: true,
  }),
} as const;

/** Where core keeps things. */
const STORAGE = {
  "core.dataDirectory": text("DATA_DIR", "Directory of core's files", {
    takes: "a path in the container",
    setBy: "the target",
    default: "./data",
  }),
  "core.deploymentLayer": text("DEPLOYMENT_LAYER", "Directory of the mounted deployment layer", {
    takes: "a path in the container",
    setBy: "the target",
    ownRules: true,
  }),
  "core.sessionStore": choice("SESSION_STORE", "Where sessions are kept", ["postgres", "memory"], {
    ...STORE,
    blankCounts: true,
    removed: REMOVED,
    setBy: "the target",
    default: "memory",
  }),
  "core.runStore": choice(
    "RUN_STORE",
    "Where runs are kept; without it as SESSION_STORE says",
    ["postgres", "memory"],
    { otherwise: "runs are kept where SESSION_STORE says", blankCounts: true, removed: REMOVED, setBy: "the target" },
  ),
  "core.artifactStore": choice("ARTIFACT_STORE", "Read only to refuse `sqlite`, which qm has removed", [], {
    removed: { ...REMOVED, instead: "remove it" },
    otherwise: "nothing reads it",
  }),
  "core.snapshotStore": choice("SNAPSHOT_STORE", "Where snapshots of workspaces are kept", ["s3", "local"], {
    ...FILES,
    blankCounts: true,
    setBy: "the target",
    default: "local",
  }),
  "core.transferStore": choice(
    "TRANSFER_STORE",
    "Where files on their way to and from agents are kept",
    ["s3", "local"],
    { ...FILES, blankCounts: true, setBy: "the target", default: "local" },
  ),
  "core.s3Bucket": text("S3_BUCKET", "Bucket of the object store", { setBy: "the target on aws" }),
  "core.s3Endpoint": text("S3_ENDPOINT", "Address of an object store other than AWS's", URL_TEXT),
  "core.s3Prefix": text("S3_PREFIX", "Start of every object's key"),
  "core.s3Region": text("S3_REGION", "Region of the object store", { setBy: "the target on aws" }),
  "core.awsEndpoint": text("AWS_ENDPOINT_URL_S3", "Address of the object store, as the AWS SDK reads it", URL_TEXT),
  "core.awsRegion": text("AWS_REGION", "Region of AWS services, where none is named for one of them", {
    setBy: "the target on aws",
  }),
  "core.awsDefaultRegion": text("AWS_DEFAULT_REGION", "Region of AWS services, where AWS_REGION is absent"),
  "core.databaseUrl": text("DATABASE_URL", "Postgres database: a secret", { isSecret: true, ownRules: true }),
  "core.databaseCaFile": text(
    "DATABASE_CA_CERT_FILE",
    "File with the certificate of the authority that signed the database's",
    { takes: "a path in the container", ownRules: true },
  ),
  "core.secretsBackend": choice("SECRETS_BACKEND", "Where core looks connectors' secrets up", ["env", "aws"], {
    trim: true,
    default: "env",
  }),
  "core.secretsPrefix": text("SECRETS_PREFIX", "Start of the names of secrets, which `SECRETS_BACKEND` `aws` demands", {
    example: "qm-acme-",
  }),
  "core.skillsSeedDirectory": text("SKILLS_SEED_DIR", "Directory of the skills that come with qm", {
    takes: "a path in the container",
    ownRules: true,
  }),
  "core.pluginSkillDirectories": text(
    "PLUGIN_SKILLS_DIRS",
    "Directories of skills, in place of those of the config's `skills`",
    { takes: "paths with commas between them, or `none`", ownRules: true },
  ),
  "core.seedSkills": boolean("SEED_SKILLS", "Install skills at start: qm's own, the config's and the layer's", {
    default: "true",
  }),
} as const;

/** What core demands of those who talk to it. */
const SAFETY = {
  "core.signingSecret": text("CORE_SIGNING_SECRET", "Key between qm's services: a secret", {
    isSecret: true,
    ownRules: true,
  }),
  "core.allowUnauthenticated": boolean("ALLOW_UNAUTHENTICATED_CORE", "Let anybody call core who reaches it", {
    default: "false",
  }),
  "core.signedIdentity": flag(
    "REQUIRE_SIGNED_PORTAL_IDENTITY",
    "Take a person's identity only with the portal's signature",
    {
      setBy: "the target",
      otherwise: "outside of production identities are taken without a signature",
      impliedInProduction: true,
    },
  ),
  "core.googleClientId": text(
    "GOOGLE_OAUTH_CLIENT_ID",
    "OAuth client of the Google connector; its secret is demanded then",
    { ownRules: true },
  ),
  "core.dropboxClientId": text(
    "DROPBOX_OAUTH_CLIENT_ID",
    "OAuth client of the Dropbox connector; its secret is demanded then",
    { ownRules: true },
  ),
  "core.linearClientId": text(
    "LINEAR_OAUTH_CLIENT_ID",
    "OAuth client of the Linear connector; its secret is demanded then",
    { ownRules: true },
  ),
  "core.egressServiceHosts": text("EGRESS_SERVICE_HOSTS", "Hosts that may be called with the operator's own tokens", {
    takes: "hosts with commas between them",
  }),
  "core.reachDeniedChannel": text("REACH_DENIED_NOTIFY_CHANNEL", "Slack channel that hears of refused accesses"),
  "core.emojiFallback": text(
    "SLACK_EMOJI_FALLBACK_PRINCIPAL",
    "Person in whose name emoji are uploaded, where nobody else may",
  ),
} as const;

/** What core reads from its environment, by key. The settings of a sandbox backend stand in the backend's file. */
export const CORE = { ...IDENTITY, ...MODELS, ...STORAGE, ...SAFETY, ...CORE_LIMITS, ...CORE_RUNTIME } as const;
