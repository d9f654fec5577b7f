import { BACKENDS } from "../../catalog/backends/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field } from "../place.ts";
import type { Rule } from "../rule.ts";
import { type ConfigValue, configValues } from "./config-values.ts";
import { isPublicName, isSecretName } from "./secret-name.ts";
import { isPlainValue, secretShape } from "./secret-shape.ts";

/** The catalogue names of a deployment: what is a secret of it, and the names that secrets have inside services. */
function catalogueNames({ secrets }: Deployment): Map<string, string> {
  const names = new Map<string, string>(BACKENDS.flatMap((backend) => backend.secrets.map((row) => [row.name, row.name] as const)));
  for (const secret of secrets) {
    names.set(secret.name, secret.name);
    for (const { env } of secret.destinations) names.set(env, secret.name);
  }
  return names;
}

/** A secret of the catalogue, given as a plain value. */
export const CATALOGUE_SECRET: Rule = {
  id: "secrets/catalogue-secret",
  title: "Secret of the catalogue in the config",
  severity: "error",
  clause: "config.no-secret-values",
  why: "The config is committed and its values are rendered in the clear. A name of the secrets catalogue is delivered from `.env` or the target's store, and would collide with the value here.",
  bad: '{ "env": { "core": { "BOXD_API_KEY": "bxd" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
  *check(deployment) {
    const catalogue = catalogueNames(deployment);
    for (const value of configValues(deployment)) {
      const secret = catalogue.get(value.name);
      if (secret === undefined) continue;
      const alias = secret === value.name ? "is a secret" : `is how the secret \`${secret}\` is called inside the service`;
      yield {
        message: `${field(value.path)} ${alias}: its value does not belong into the config`,
        help: `remove it, and put the value for \`${secret}\` into \`.env\` or the target's store; if it was real, replace it`,
        place: { path: value.path },
      };
    }
  },
};

/** A value under a name that says that it is secret. */
export const SECRET_NAME: Rule = {
  id: "secrets/secret-name",
  title: "Value under a secret's name",
  severity: "error",
  clause: "config.no-secret-values",
  why: "The config is committed and its values are rendered in the clear, so a password, token or key must not stand in it. Names that only sound alike (`SORT_KEY`, `MAX_TOKEN`, publishable keys) and values that only say where a secret is are not meant.",
  bad: '{ "env": { "core": { "ACME_PASSWORD": "hunter2" } } }',
  good: '{ "secretEnv": { "core": { "ACME_PASSWORD": "ACME_PASSWORD" } } }',
  *check(deployment) {
    for (const value of uncatalogued(deployment)) {
      if (!isSecretName(value.name) || isPlainValue(value.value) || secretShape(value.value, isPublicName(value.name)) !== null) continue;
      yield {
        message: `${field(value.path)} has the name of a secret: its value does not belong into the config`,
        help: `${value.instead}; if it was real, replace it`,
        place: { path: value.path },
      };
    }
  },
};

/** A value that has the form of a secret, whatever its name. */
export const SECRET_VALUE: Rule = {
  id: "secrets/secret-value",
  title: "Value in the form of a secret",
  severity: "error",
  clause: "config.no-secret-values",
  why: "The config is committed and its values are rendered in the clear. Keys of well-known providers, private keys and URLs with a password are recognized by their form.",
  bad: '{ "env": { "core": { "ACME_DATABASE": "postgres://qm:hunter2@db.acme.dev/qm" } } }',
  good: '{ "secretEnv": { "core": { "ACME_DATABASE": "ACME_DATABASE" } } }',
  *check(deployment) {
    for (const value of uncatalogued(deployment)) {
      const shape = secretShape(value.value, isPublicName(value.name));
      if (shape === null) continue;
      yield {
        message: `${field(value.path)} holds ${shape}, which does not belong into the config`,
        help: `${value.instead}; if it was real, replace it`,
        place: { path: value.path },
      };
    }
  },
};

/** The values that are not of the catalogue, which has a rule of its own: one finding for each value. */
function uncatalogued(deployment: Deployment): ConfigValue[] {
  const catalogue = catalogueNames(deployment);
  return configValues(deployment).filter((value) => !catalogue.has(value.name));
}
