import {
  anyOf,
  fromCommand,
  fromOperator,
  hasText,
  isSet,
  LASTING_HEX32,
  made,
  onTarget,
  rowsOf,
  type SecretRow,
} from "../../secret-row.ts";

/** Keys of model providers and the address that agents call back. */
const MODEL_ROWS = rowsOf("core", [
  {
    name: "ANTHROPIC_API_KEY",
    description: "Anthropic key that core calls models with",
    when: { kind: "provider", provider: "anthropic" },
    otherwise: "optional",
    source: fromOperator("console.anthropic.com, Settings, API keys"),
  },
  {
    name: "OPENROUTER_API_KEY",
    description: "OpenRouter key that core calls models with",
    when: { kind: "provider", provider: "openrouter" },
    otherwise: "optional",
    source: fromOperator("openrouter.ai/settings/keys"),
  },
  {
    name: "OPENAI_API_KEY",
    description: "OpenAI key that core and the Codex harness call models with",
    when: anyOf({ kind: "harness", in: ["codex"] }, { kind: "provider", provider: "openai" }),
    source: fromOperator("platform.openai.com/api-keys"),
  },
  {
    name: "PUBLIC_API_URL",
    description: "Address under which agents reach core's API from where they run",
    setting: "core.publicApiUrl",
    when: { kind: "harness", in: ["pi", "opencode", "codex"] },
    source: fromOperator(
      "on fly and aws `apiUrl` where it is set, else `publicUrl`; on docker an address that leads to core, such as a tunnel",
    ),
  },
]);

/** Keys that sign and encrypt inside one deployment. */
const SIGNING_ROWS = rowsOf("core", [
  made("CORE_SIGNING_SECRET", "Signs requests between the services and core"),
  made("CAPABILITY_SECRET", "Signs the short-lived rights that agents act with"),
  made("PORTAL_IDENTITY_SECRET", "Signs who is signed in, from the portal to the services behind it"),
  made(
    "CONNECTOR_SECRET_KEY",
    "Encrypts stored connector credentials; changing it makes them unreadable",
    LASTING_HEX32,
  ),
  made("SKILL_SIGNING_SECRET", "Signs the skills that core hands to agents"),
]);

/** Database, object store and the connectors that bring an OAuth client of their own. */
const SERVICE_ROWS = rowsOf("core", [
  {
    name: "DATABASE_URL",
    description: "Postgres connection of core",
    setting: "core.databaseUrl",
    when: anyOf(onTarget("aws"), onTarget("fly")),
    source: fromOperator("comes from the database that the target attaches"),
    managedBy: { aws: "terraform", fly: "fly" },
  },
  ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3"].map((name) => ({
    name,
    description: "Access to the Tigris bucket that holds snapshots and transfers",
    when: onTarget("fly"),
    source: fromOperator("set by `fly storage create` when the bucket is attached to the core app"),
    managedBy: { fly: "fly" } as const,
  })),
  {
    name: "FLY_DEPLOY_API_TOKEN",
    description: "Fly token that core deploys agents' apps with",
    when: isSet("core.deployProvider", "fly"),
    source: fromCommand("fly tokens create org -o <fly-org>"),
  },
  {
    name: "DATABASE_CA_CERT",
    description: "PEM certificate of the authority that signed the database's certificate",
    optional: true,
    source: fromOperator(null),
  },
  ...(["google", "dropbox", "linear"] as const).map((provider) => ({
    name: `${provider.toUpperCase()}_OAUTH_CLIENT_SECRET`,
    description: `OAuth client secret of the ${provider.charAt(0).toUpperCase()}${provider.slice(1)} connector`,
    when: hasText(`core.${provider}ClientId`),
    source: fromOperator(`the OAuth client that \`${provider.toUpperCase()}_OAUTH_CLIENT_ID\` names`),
  })),
]);

/** The rows of core that every known release has. */
export const CORE_SECRETS: readonly SecretRow[] = [...MODEL_ROWS, ...SIGNING_ROWS, ...SERVICE_ROWS];
