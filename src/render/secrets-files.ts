import { findReference, findStandIn } from "../base/stand-in.ts";
import { findSecretPlaceholder } from "../config/placeholder.ts";
import type { Deployment, Secret } from "../deployment/deployment.ts";
import { isReadInPlace } from "../deployment/secrets/in-place.ts";
import { POSTGRES_WORKLOAD } from "../deployment/secrets/sources.ts";
import { type DialectName, type EnvPair, writeEnv } from "../envfile/index.ts";
import {
  generatedLines,
  isRefusal,
  jsonText,
  type Refusal,
  type RenderContext,
  type RenderOutput,
} from "./artifact.ts";
import { bringsPostgres, databaseUrlName, POSTGRES_DB, POSTGRES_USER } from "./database.ts";
import { refuse, refuseValue } from "./refusals.ts";
import { secretValue } from "./secrets.ts";

/** How a target takes the secrets of one workload: its file, the dialect that is read there, and who reads it. */
const FORMATS = {
  docker: { extension: "secrets.env", dialect: "compose", reader: "`env_file` of docker compose" },
  fly: { extension: "secrets.fly", dialect: "fly", reader: "`fly secrets import`" },
} as const satisfies {
  readonly [target: string]: { readonly extension: string; readonly dialect: DialectName; readonly reader: string };
};

/** Amazon Secrets Manager: what `SecretString` holds, in bytes. */
const MAX_BYTES = 65_536;

/** Secret values from `.env` in the form that the target takes them in; nothing unless they were asked for. */
export function renderSecretsFiles(context: RenderContext): readonly RenderOutput[] {
  const { deployment, target, options } = context;
  if (!options.secrets) return [];
  if (target === "aws") return deployment.secrets.flatMap((secret) => secretsManagerInput(deployment, secret));
  return [...workloadsWithSecrets(context)].flatMap((workload) => workloadFile(context, target, workload));
}

/** The file of a workload's secrets on docker or fly. */
export function secretsFileName(target: keyof typeof FORMATS, workload: string): string {
  return `${workload}.${FORMATS[target].extension}`;
}

/**
 * The workloads for which there is a file of secrets on docker or fly. It does not depend on values, so that what is
 * committed is the same where `.env` is not at hand.
 */
export function workloadsWithSecrets(context: RenderContext): ReadonlySet<string> {
  const { deployment, target, secrets } = context;
  const names = deployment.workloads.map((workload) => workload.name).filter((name) => secrets.has(name));
  return new Set(target === "docker" && bringsPostgres(context) ? [...names, POSTGRES_WORKLOAD] : names);
}

/** The file of one workload, which gets only its own secrets, under the names that it knows them by. */
function workloadFile(context: RenderContext, target: keyof typeof FORMATS, workload: string): readonly RenderOutput[] {
  const { deployment } = context;
  const artifact = secretsFileName(target, workload);
  const secrets = context.secrets.get(workload) ?? [];
  // Of a broken config, the Postgres of compose.yaml may have no password in the catalogue.
  if (secrets.length === 0) return [];
  const delivered = secrets.flatMap(({ env, secret }) => {
    // Postgres does not start without the password, which is optional only while another database is in use.
    const delivery = deliver(deployment, secret, artifact, secret.required || workload === POSTGRES_WORKLOAD);
    return typeof delivery === "string" ? { name: env, value: delivery } : (delivery ?? []);
  });
  const refusals = delivered.filter(isRefusal);
  const pairs = delivered.filter((one): one is EnvPair => !isRefusal(one));
  if (target === "docker" && workload === "core" && bringsPostgres(context)) {
    const url = postgresUrl(deployment, artifact);
    // The file of the database says what is missing.
    if (url === null) return refusals;
    pairs.push({ name: databaseUrlName(deployment), value: url });
  }
  const { dialect, reader } = FORMATS[target];
  const about = `The secrets of ${workload}, in the dialect of ${reader}.`;
  const written = writeEnv(dialect, pairs, {
    header: generatedLines(about, "Holds secrets: never commit it.").join("\n"),
  });
  if (!written.ok)
    return [...refusals, ...written.refusals.map(({ reason }) => refuseValue(deployment, artifact, [], reason))];
  return refusals.length > 0 ? refusals : [{ name: artifact, text: written.text, secret: true }];
}

/** Where core finds the Postgres that compose.yaml brings; null without a password for it. */
function postgresUrl(deployment: Deployment, artifact: string): string | null {
  const secret = deployment.secrets.find(({ name }) => name === "POSTGRES_PASSWORD");
  const password = secret === undefined ? null : deliver(deployment, secret, artifact, true);
  return typeof password === "string"
    ? `postgres://${POSTGRES_USER}:${encodeURIComponent(password)}@${POSTGRES_WORKLOAD}:5432/${POSTGRES_DB}`
    : null;
}

/** The input of `aws secretsmanager put-secret-value --cli-input-json`, so that no value is on a command line. Terraform fills its own secrets. */
function secretsManagerInput(deployment: Deployment, secret: Secret): readonly RenderOutput[] {
  if (secret.managedBy !== "operator" || secret.destinations.length === 0) return [];
  if (isReadInPlace(deployment, secret)) return [];
  const artifact = `secrets/${secret.name}.secrets.json`;
  const value = deliver(deployment, secret, artifact, secret.required);
  if (typeof value !== "string") return value === null ? [] : [value];
  if (!value.isWellFormed() || new TextEncoder().encode(value).length > MAX_BYTES) {
    const reason = `Secrets Manager cannot hold the value of \`${secret.name}\`: it takes 64 KiB of Unicode text`;
    return [refuseValue(deployment, artifact, secret.because[0] ?? [], reason)];
  }
  const input = { SecretId: `${deployment.config.aws?.secretsPrefix ?? ""}${secret.name}`, SecretString: value };
  return [{ name: artifact, text: jsonText(input), secret: true }];
}

/** The value of a secret in `.env`, why there cannot be one, or null for a secret that need not be there. */
function deliver(deployment: Deployment, secret: Secret, artifact: string, required: boolean): string | Refusal | null {
  const value = secretValue(deployment, secret);
  if (value !== null && findSecretPlaceholder(value) === null) return value;
  if (value === null && !(required && secret.managedBy === "operator")) return null;
  const refused = {
    artifact,
    rule: "render/secret-missing" as const,
    path: secret.because[0] ?? [],
    message: `\`${secret.name}\` ${whyNot(value)}`,
  };
  const tool = value === null ? undefined : findReference(value)?.tool;
  if (tool !== undefined)
    return refuse(deployment, {
      ...refused,
      help: `\`${tool}\` reads it where \`--resolve\` says so (${secret.reason})`,
      command: "qm-deploy render --secrets --resolve",
    });
  return refuse(deployment, {
    ...refused,
    help: `set it with \`qm-deploy secrets set ${secret.name}\`, which reads the value from stdin (${secret.reason})`,
    command: `qm-deploy secrets set ${secret.name}`,
  });
}

function whyNot(value: string | null): string {
  if (value === null) return "has no value in `.env`";
  return findStandIn(value)?.what ?? "is still a placeholder in `.env`";
}
