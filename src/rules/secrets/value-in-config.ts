import type { StringMap } from "../../config/written-config.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { BACKENDS } from "../../catalog/backends/index.ts";
import { memoizeByObject } from "../../base/memo.ts";
import { field, type Rule } from "../rule.ts";
import { isPublicName, isSecretName } from "../../base/secret-name.ts";
import { isPlainValue, secretShape } from "./secret-shape.ts";

/** A value that the config itself hands to a program, where no secret belongs. */
export interface ConfigValue {
  readonly name: string;
  readonly value: string;
  readonly path: ConfigPath;
  /** How the value reaches its reader as a secret instead, as a short imperative. */
  readonly instead: () => string;
}

/** Why a value does not belong in the config. */
type Reason =
  | { readonly kind: "catalogue"; readonly secret: string }
  | { readonly kind: "shape"; readonly what: string }
  | { readonly kind: "name" };

interface Misplaced {
  readonly value: ConfigValue;
  readonly reason: Reason;
}

/** A name of the catalogue; null workloads: it must stand nowhere in the config, else not in the environment of these. */
interface CatalogueName {
  readonly secret: string;
  readonly workloads: readonly string[] | null;
}

const DATABASE_NAMES = ["DATABASE_URL", "POSTGRES_PASSWORD"];

const BACKEND_SECRETS = BACKENDS.flatMap((backend) => backend.secrets.map((row) => row.name));

/** What is a secret in a catalogue, and the names that secrets have inside services, each with the secret. */
const catalogueNames = memoizeByObject((secrets: readonly Secret[]): ReadonlyMap<string, CatalogueName> => {
  const names = new Map<string, CatalogueName>(
    BACKEND_SECRETS.map((name) => [name, { secret: name, workloads: null }]),
  );
  for (const secret of secrets) {
    // What docker's own database is told with is in no catalogue of qm: elsewhere the name is anybody's.
    const isOfDockerOnly = DATABASE_NAMES.includes(secret.name) && !secret.required;
    const workloads = isOfDockerOnly ? secret.destinations.map(({ workload }) => workload) : null;
    names.set(secret.name, { secret: secret.name, workloads });
    for (const { env } of secret.destinations) names.set(env, { secret: secret.name, workloads });
  }
  return names;
});

/** The values that do not belong in the config, each for one reason; found once for the three rules that say it. */
const misplaced = memoizeByObject((deployment: Deployment): readonly Misplaced[] => {
  const catalogue = catalogueNames(deployment.secrets);
  const found: Misplaced[] = [];
  for (const value of configValues(deployment)) {
    const reason = reasonOf(value, catalogue, deployment);
    if (reason !== null) found.push({ value, reason });
  }
  return found;
});

/** Secrets that stand in the config. */
export const SECRET_VALUE_RULES: readonly Rule[] = [
  {
    id: "secrets/catalogue-secret",
    title: "Secret of the catalogue in the config",
    severity: "error",
    clause: "config.no-secret-values",
    why: "The config is committed and its values are rendered in the clear. A name of the secrets catalogue is delivered from `.env` or the target's store, and would collide with the value here.",
    bad: '{ "env": { "core": { "BOXD_API_KEY": "bxd" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      for (const { value, reason } of misplaced(deployment)) {
        if (reason.kind !== "catalogue") continue;
        const { secret } = reason;
        const alias =
          secret === value.name ? "is a secret" : `is how the secret \`${secret}\` is called inside the service`;
        report({
          message: `${field(value.path)} ${alias}: its value does not belong in the config`,
          help: `remove it, and put the value for \`${secret}\` into \`.env\` or the target's store; if it was real, replace it`,
          place: { path: value.path },
        });
      }
    },
  },
  {
    id: "secrets/secret-name",
    title: "Value under a secret's name",
    severity: "error",
    clause: "config.no-secret-values",
    why: "The config is committed and its values are rendered in the clear, so a password, token or key must not stand in it. Names that only sound alike (`SORT_KEY`, `MAX_TOKEN`, publishable keys) and values that only say where a secret is are not meant.",
    bad: '{ "env": { "core": { "ACME_PASSWORD": "hunter2" } } }',
    good: '{ "secretEnv": { "core": { "ACME_PASSWORD": "ACME_PASSWORD" } } }',
    check(deployment, report) {
      for (const { value, reason } of misplaced(deployment)) {
        if (reason.kind !== "name") continue;
        report({
          message: `${field(value.path)} has the name of a secret: its value does not belong in the config`,
          help: `${value.instead()}; if it was real, replace it`,
          place: { path: value.path },
        });
      }
    },
  },
  {
    id: "secrets/secret-value",
    title: "Value in the form of a secret",
    severity: "error",
    clause: "config.no-secret-values",
    why: "The config is committed and its values are rendered in the clear. Keys of well-known providers, private keys and URLs with a password are recognized by their form.",
    bad: '{ "env": { "core": { "ACME_DATABASE": "postgres://qm:hunter2@db.acme.dev/qm" } } }',
    good: '{ "secretEnv": { "core": { "ACME_DATABASE": "ACME_DATABASE" } } }',
    check(deployment, report) {
      for (const { value, reason } of misplaced(deployment)) {
        if (reason.kind !== "shape") continue;
        report({
          message: `${field(value.path)} holds ${reason.what}, which does not belong in the config`,
          help: `${value.instead()}; if it was real, replace it`,
          place: { path: value.path },
        });
      }
    },
  },
];

/** Every environment value and build argument that stands in the config, in the order of its blocks. */
export function configValues({ config }: Deployment): ConfigValue[] {
  const all: ConfigValue[] = [];
  for (const [service, map] of Object.entries(config.env ?? {})) {
    add(
      all,
      map,
      ["env", service],
      (name) => `keep the value in \`.env\` or the target's store, and route it with \`secretEnv.${service}.${name}\``,
    );
  }
  config.plugins?.forEach((plugin, at) => {
    add(
      all,
      plugin.env,
      ["plugins", at, "env"],
      () => `declare it in \`plugins[${at}].secrets\`, and keep the value in \`.env\` or the target's store`,
    );
  });
  add(
    all,
    config.sandbox?.env,
    ["sandbox", "env"],
    () => "name it in `sandbox.secretEnv` (Sprites only), and keep the value in `.env` or the target's store",
  );
  for (const [workload, service] of Object.entries(config.aws?.services ?? {})) {
    add(
      all,
      service.buildArgs,
      ["aws", "services", workload, "buildArgs"],
      () => "build arguments stay readable in the image: fetch it at run time instead, as a secret of the service",
    );
  }
  return all;
}

function add(
  all: ConfigValue[],
  map: StringMap | undefined,
  path: ConfigPath,
  instead: (name: string) => string,
): void {
  for (const [name, value] of Object.entries(map ?? {}))
    all.push({ name, value, path: [...path, name], instead: () => instead(name) });
}

function reasonOf(
  { name, value, path }: ConfigValue,
  catalogue: ReadonlyMap<string, CatalogueName>,
  deployment: Deployment,
): Reason | null {
  const known = catalogue.get(name);
  const isTheirs = known?.workloads?.includes(path[0] === "env" ? workloadOf(String(path[1]), deployment) : "") ?? true;
  if (known !== undefined && isTheirs) return { kind: "catalogue", secret: known.secret };
  const what = secretShape(value, isPublicName(name));
  if (what !== null) return { kind: "shape", what };
  return isSecretName(name) && !isPlainValue(value) ? { kind: "name" } : null;
}

/** The workload that a service runs in, its own name where it runs in none. */
function workloadOf(service: string, { workloads }: Deployment): string {
  return workloads.find(({ hosts }) => hosts.some((host) => host === service))?.name ?? service;
}
