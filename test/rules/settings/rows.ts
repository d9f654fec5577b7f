import type { ServiceName } from "../../../src/config/written-config.ts";

/**
 * What becomes of a value: `refused` at start (an error under 0.1.6, a warning under 0.1.12), `error` under both, `ignored`
 * (a warning under both), or `fine`.
 */
export type Verdict = "refused" | "error" | "ignored" | "fine";

export interface Row {
  /** Rows of docs/contract/qm-boot.md. */
  readonly boot: readonly number[];
  readonly service: ServiceName;
  readonly names: string;
  /** The other entries of the service's `env`. */
  readonly beside?: { readonly [name: string]: string };
  /** Another release than both. */
  readonly release?: string;
  readonly values: { readonly [verdict in Verdict]?: readonly string[] };
}

const BOOLEAN = {
  refused: ["maybe", "2", "enabled", "y", "ture", "o n", "-", "10"],
  fine: ["1", "0", "true", "FALSE", "yes", "No", "on", "OFF", "none", " true ", "", "  "],
};
const NUMBER = {
  refused: ["10s", "1_000", "1,000", "five", "Infinity", "NaN", "1 000", "0x", "--1", "1e999"],
  fine: ["0", "-1", "5", " 5 ", "0x10", "1e3", "1.5", "", "  ", ".5"],
};
const FLAG = {
  ignored: ["true", "TRUE", "yes", "on", " 1", "01", "enabled"],
  fine: ["1", "0", "", "false", "no", "off", "none"],
};
const SECONDS = { ignored: ["0", "-1", "15m", "soon", "Infinity"], fine: ["1", "0.5", " 60 ", "", "1e2"] };
const PROVIDER_URL = {
  refused: [
    "models.acme.dev/v1",
    "ftp://models.acme.dev",
    "https://",
    "https://models.acme.dev/?key=1",
    "https://models.acme.dev/#v1",
    "https://ann@models.acme.dev",
    "localhost:8080",
  ],
  fine: [
    "https://models.acme.dev/v1",
    "http://10.0.0.4:8080",
    " https://models.acme.dev/ ",
    "",
    "HTTPS://Models.acme.dev",
    "https:/models.acme.dev",
  ],
};
const ENDPOINT = {
  ignored: ["https://id acme.dev/token", "https://id.acme.dev:99999"],
  refused: ["HTTPS://id.acme.dev/token", " https://id.acme.dev/token", "", " ", "id.acme.dev"],
  fine: ["https://id.acme.dev/token", "https://id.acme.dev/token?tenant=acme"],
};

/** What each reading does with values, by rows of the boot table; 0.1.6's own loaders said so. */
export const ROWS: readonly Row[] = [
  {
    boot: [5],
    service: "core",
    names: "HARNESS",
    values: { error: ["Pi", "pie", "CODEX", "pi,codex"], fine: ["pi", " pi ", "mock", "codex", ""] },
  },
  {
    boot: [7],
    service: "core",
    names: "HARNESS_SECURITY_POSTURE",
    values: { refused: ["lax", "none", "autos"], fine: ["dangerous", "AUTO", " Strict ", ""] },
  },
  {
    boot: [8],
    service: "core",
    names: "SECURITY_SCREEN_TIMEOUT_MS",
    values: { refused: ["0", "-1", "1.5", "2147483648", "10s"], fine: ["1", "2147483647", " 5000 ", ""] },
  },
  {
    boot: [10],
    service: "core",
    names: "DEPLOY_PROVIDER",
    release: "0.1.6",
    values: { refused: ["", "  ", " fly", "AWS", "flyy", "porter", "none"], fine: ["aws", "docker", "fly"] },
  },
  {
    boot: [10],
    service: "core",
    names: "DEPLOY_PROVIDER",
    release: "0.1.12",
    values: { refused: ["", "flyy", "Porter"], fine: ["aws", "docker", "fly", "porter"] },
  },
  {
    boot: [11],
    service: "core",
    names: "ANTHROPIC_BASE_URL OPENAI_BASE_URL OPENROUTER_BASE_URL",
    values: PROVIDER_URL,
  },
  {
    boot: [15],
    service: "core",
    names:
      "ALLOW_UNAUTHENTICATED_CORE PI_CAPTURE_REQUESTS PI_SYSTEM_CACHE_SPLIT BACKGROUND_WORK_ENABLED ECS_TASK_PROTECTION SEED_SKILLS EXECUTE_SCRATCH REACH_EXEC SHARED_OWNER_AUTH_ISOLATION SURFACE_DEBUG_FOOTER EAGER_PROVISION",
    values: BOOLEAN,
  },
  {
    boot: [16],
    service: "core",
    names:
      "RATE_LIMIT_PER_WINDOW RATE_LIMIT_WINDOW_MS BUDGET_USD_PER_WINDOW ORG_BUDGET_USD_PER_WINDOW BUDGET_WINDOW_MS MAX_CONTEXT_ENTRIES MAX_CONTEXT_TOKENS EXEC_TIMEOUT_DEFAULT_SEC EXEC_TIMEOUT_MAX_SEC TURN_WALL_CLOCK_SEC RUN_MAX_AGE_MS BACKGROUND_JOB_TTL_SEC BACKGROUND_JOB_TTL_MAX_SEC MONITOR_POLL_MS SKILL_SYNC_POLL_MS MONITOR_HEARTBEAT_SEC MEMORY_CONSOLIDATE_AFTER MEMORY_CAPTURE_QUIET_MS MEMORY_CAPTURE_MAX_TURNS DEPLOY_IDLE_TTL_MS DEPLOY_DIAL_TIMEOUT_MS DEEP_IDLE_MACHINE_MS DEV_IDLE_MACHINE_MS CRON_FIRE_CONCURRENCY WORKERS LEASE_TTL_MS HEARTBEAT_INTERVAL_MS REAPER_INTERVAL_MS SHUTDOWN_DRAIN_MS MAX_ATTEMPTS MAX_CLAIMS PROCESS_REAPER_INTERVAL_MS APPROVAL_SUMMARY_TIMEOUT_MS INSIGHTS_INTERVAL_MS AWS_SANDBOX_AGENT_PORT AWS_SANDBOX_MAX_IDLE_SEC AWS_SANDBOX_SUSPENDED_SEC AWS_SANDBOX_MAX_DURATION_SEC AWS_SANDBOX_ROTATE_AFTER_SEC AWS_SANDBOX_SNAPSHOT_INTERVAL_MS AWS_SANDBOX_CPUS AWS_SANDBOX_MEMORY_MB AWS_SANDBOX_DISK_GB LOCAL_SANDBOX_CPUS LOCAL_SANDBOX_MEMORY_MB SMOLMACHINES_CPUS SMOLMACHINES_MEMORY_MB SMOLMACHINES_DISK_GB AWS_DEPLOY_AGENT_PORT AWS_DEPLOY_APP_PORT AWS_DEPLOY_MAX_DURATION_SEC AWS_DEPLOY_ROTATE_AFTER_SEC AWS_DEPLOY_MAX_IDLE_SEC AWS_DEPLOY_SUSPENDED_SEC AWS_DEPLOY_TOKEN_TTL_MIN AWS_DEPLOY_SNAPSHOT_INTERVAL_MS",
    values: NUMBER,
  },
  {
    boot: [16],
    service: "core",
    names: "SANDBOX_TIMEOUT_SEC",
    values: { refused: ["10m", "Infinity"], ignored: ["0", "-1", "0.0"], fine: ["600", "0x10", "1e3", "0.5", ""] },
  },
  {
    boot: [17],
    service: "core",
    names: "SECRETS_BACKEND",
    beside: { SECRETS_PREFIX: "qm-acme-" },
    values: { refused: ["vault", "AWS", "aws-sm"], fine: ["env", " aws ", ""] },
  },
  {
    boot: [18, 19],
    service: "core",
    names: "SESSION_STORE RUN_STORE",
    values: { refused: ["sqlite"], ignored: ["bogus", "Postgres", " postgres", ""], fine: ["postgres", "memory"] },
  },
  { boot: [18], service: "core", names: "ARTIFACT_STORE", values: { refused: ["sqlite"], fine: [""] } },
  {
    boot: [20],
    service: "core",
    names: "SNAPSHOT_STORE TRANSFER_STORE",
    beside: { S3_BUCKET: "acme-data" },
    values: { ignored: ["S3", "s3 ", "disk", ""], fine: ["s3", "local"] },
  },
  {
    boot: [21],
    service: "core",
    names: "MEMORY_RECALL",
    values: { ignored: ["none", "Off", "false"], fine: ["off", "writable", "visible", ""] },
  },
  {
    boot: [21],
    service: "core",
    names: "MEMORY_CAPTURE",
    values: { ignored: ["no", "OFF"], fine: ["off", "writable", ""] },
  },
  {
    boot: [21],
    service: "core",
    names: "MEMORY_STRATEGY",
    values: { ignored: ["scratch", "Agent-only"], fine: ["agent-only", "scratch-promote", "per-turn", ""] },
  },
  {
    boot: [21],
    service: "core",
    names: "SESSION_TAPE_MODE",
    values: { ignored: ["Shadow", "off"], fine: ["shadow", "serve", ""] },
  },
  {
    boot: [26],
    service: "core",
    names: "ORG_BRAND_ACCENT",
    values: { ignored: ["4f46e5", "#12", "blue", "#ggg"], fine: ["#4f46e5", "#abc", "#4F46E5FF", " #abc ", ""] },
  },
  {
    boot: [43],
    service: "portal",
    names: "PORTAL_PLAYGROUND_MINTS_PER_IP",
    beside: { PORTAL_PLAYGROUND: "1" },
    values: { refused: ["0", "65", "1.5", "many"], fine: ["1", "64", ""] },
  },
  {
    boot: [43],
    service: "portal",
    names: "PORTAL_PLAYGROUND_MINT_WINDOW_S",
    beside: { PORTAL_PLAYGROUND: "1" },
    values: { refused: ["59", "86401", "1h"], fine: ["60", "86400", ""] },
  },
  { boot: [43], service: "portal", names: "PORTAL_PLAYGROUND_MINTS_PER_IP", values: { fine: ["0", "many"] } },
  {
    boot: [46],
    service: "portal",
    names: "OIDC_PRINCIPAL_CLAIM",
    values: { error: ["", " email ", "Email", "upn"], fine: ["email", "sub"] },
  },
  {
    boot: [48],
    service: "portal",
    names: "PORTAL_SESSION_TTL_S",
    values: { refused: ["", "8h", "0", "-1", "Infinity"], fine: ["28800", "1e4", "60"] },
  },
  {
    boot: [48],
    service: "portal",
    names: "PORTAL_SESSION_MAX_TTL_S",
    values: { refused: ["", "1d", "0"], fine: ["86400"] },
  },
  {
    boot: [49],
    service: "portal",
    names: "PORTAL_IMPERSONATE_TTL_S",
    values: { ignored: ["1h", "", "-5"], fine: ["3600"] },
  },
  {
    boot: [49],
    service: "portal",
    names: "PORTAL_XFF_TRUSTED_HOPS",
    values: { ignored: ["one", "1,2"], fine: ["0", "1", "2", ""] },
  },
  {
    boot: [52],
    service: "portal",
    names: "OIDC_AUTH_ENDPOINT OIDC_TOKEN_ENDPOINT OIDC_USERINFO_ENDPOINT",
    values: ENDPOINT,
  },
  {
    boot: [52],
    service: "portal",
    names: "OIDC_JWKS_URI",
    values: {
      error: ["http://id.acme.dev/keys", "", "id.acme.dev"],
      refused: ["HTTPS://id.acme.dev/keys", " https://id.acme.dev/keys"],
      fine: ["https://id.acme.dev/keys"],
    },
  },
  {
    boot: [52],
    service: "portal",
    names: "OIDC_TOKEN_ENDPOINT OIDC_USERINFO_ENDPOINT",
    beside: { AUTH_BROKER_UPSTREAM: "http://auth.internal:8080" },
    values: {
      refused: ["http://id.acme.dev/token", "http://auth.internal:9090/token"],
      fine: ["http://auth.internal:8080/token"],
    },
  },
  {
    boot: [52, 56],
    service: "portal",
    names: "OIDC_AUTH_ENDPOINT OIDC_TOKEN_ENDPOINT OIDC_USERINFO_ENDPOINT",
    beside: { NODE_ENV: "development" },
    values: { fine: ["http://localhost:9000/token", ""] },
  },
  {
    boot: [56],
    service: "portal",
    names: "OIDC_ALLOWED_EMAIL_DOMAIN",
    values: {
      error: ["@acme.dev", "acme", "a.dev,b.dev", "ann@acme.dev"],
      refused: [" acme.dev ", "  "],
      fine: ["acme.dev", "Acme.Dev", ""],
    },
  },
  {
    boot: [57],
    service: "portal",
    names: "OIDC_ALLOWED_EMAILS",
    values: { error: ["ann", "ann@acme.dev; bob@acme.dev"], fine: ["ann@acme.dev", "ann@acme.dev, bob@acme.dev,"] },
  },
  {
    boot: [62, 64],
    service: "auth",
    names: "AUTH_LINK_TTL_S AUTH_REQUEST_TTL_S AUTH_SEND_WINDOW_S",
    values: { ...SECONDS, refused: ["3601", "1e9"] },
  },
  {
    boot: [62, 64],
    service: "auth",
    names: "AUTH_CODE_TTL_S AUTH_ACCESS_TTL_S",
    values: { ...SECONDS, refused: ["601"] },
  },
  {
    boot: [63, 64],
    service: "auth",
    names: "AUTH_SEND_LIMIT_PER_EMAIL AUTH_SEND_LIMIT_PER_IP",
    values: { refused: ["65", "1.5"], ignored: ["0", "-1", "few"], fine: ["1", "64", ""] },
  },
  {
    boot: [65],
    service: "auth",
    names: "SMTP_PORT",
    beside: { AUTH_EMAIL_TRANSPORT: "smtp" },
    values: { refused: ["65536", "25.5"], ignored: ["smtp", "0"], fine: ["25", "465", "587", ""] },
  },
  { boot: [65], service: "auth", names: "SMTP_PORT", values: { fine: ["65536", "smtp"] } },
  {
    boot: [66],
    service: "auth",
    names: "SMTP_TLS",
    beside: { AUTH_EMAIL_TRANSPORT: "smtp" },
    values: { refused: ["none", " none "], ignored: ["ssl", "STARTTLS", "tls"], fine: ["starttls", "implicit", ""] },
  },
  {
    boot: [66],
    service: "auth",
    names: "SMTP_TLS",
    beside: { AUTH_EMAIL_TRANSPORT: "smtp", NODE_ENV: "development" },
    values: { fine: ["none"] },
  },
  {
    boot: [67],
    service: "auth",
    names: "AUTH_EMAIL_TRANSPORT",
    values: { error: ["sendgrid", "SMTP", "Resend"], fine: ["resend", " smtp "] },
  },
  {
    boot: [69],
    service: "auth",
    names: "AUTH_ALLOWED_EMAILS",
    beside: { AUTH_ALLOWED_EMAIL_DOMAIN: "acme.dev" },
    values: {
      refused: ["ann", "ann@acme.dev bob@acme.dev"],
      fine: ["ann@acme.dev", " ann@acme.dev , bob@acme.dev ", ""],
    },
  },
  {
    boot: [70],
    service: "auth",
    names: "AUTH_ALLOWED_EMAIL_DOMAIN",
    values: { error: ["@acme.dev", "acme", "a.dev b.dev"], fine: ["acme.dev", " acme.dev "] },
  },
  {
    boot: [74],
    service: "slack",
    names: "SLACK_EVENTS_MODE",
    values: { ignored: ["HTTP", "https", "ws"], fine: ["http", " http ", "socket", ""] },
  },
  {
    boot: [75],
    service: "slack",
    names: "SLACK_EVENTS_PORT",
    values: { ignored: ["0", "-1", "http"], fine: ["3000", ""] },
  },
  {
    boot: [77],
    service: "slack",
    names: "SLACK_API_URL",
    values: { ignored: ["slack.acme.dev"], fine: ["https://slack.acme.dev/api/", ""] },
  },
  {
    boot: [78],
    service: "web-ui",
    names: "WEB_DELIVERY_POLL_MS STATE_FEED_RECONNECT_MS",
    values: { ignored: ["2s", "", "0"], fine: ["2500", "1e3"] },
  },
  {
    boot: [],
    service: "portal",
    names: "PORTAL_DEPLOYMENTS_ENABLED PORTAL_PLAYGROUND",
    values: FLAG,
  },
  { boot: [], service: "web-ui", names: "WEB_UI_DEV", values: FLAG },
  {
    boot: [],
    service: "portal",
    names: "PORTAL_EXPECTED_TEAM_ID",
    values: { ignored: [" T012AB3CD", "T012AB3CD\t"], fine: ["T012AB3CD", "", "  "] },
  },
  {
    boot: [55],
    service: "portal",
    names: "OIDC_ISSUER",
    beside: { OIDC_JWKS_URI: "https://id.acme.dev/keys" },
    values: {
      ignored: ["", "  ", " https://id.acme.dev", "https://slack.com "],
      fine: ["https://id.acme.dev", "https://id.acme.dev/", "http://keycloak:8080/realms/acme"],
    },
  },
  // Without keys portal/issuer-keys judges blank ones.
  { boot: [55], service: "portal", names: "OIDC_ISSUER", values: { fine: ["", "  "] } },
];
