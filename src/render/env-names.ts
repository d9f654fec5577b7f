import type { Deployment, Secret } from "../deployment/deployment.ts";
import { compareText } from "../base/text-order.ts";
import { DATABASE_URL, routesDatabase } from "./docker/database.ts";
import type { RenderContext } from "./context.ts";
import { hasValue } from "./workload-secrets.ts";

/** The names of the secrets to which `.env` gives a value that is not blank; null where there is no `.env`. */
export function envNames(deployment: Deployment): readonly string[] | null {
  return deployment.env === null
    ? null
    : deployment.secrets.filter((secret) => hasValue(deployment, secret)).map((secret) => secret.name);
}

/**
 * The supplied names without which some committed artifact would read otherwise, sorted. `manifest.json` records them, so
 * that the same files come out where `.env` is not at hand.
 */
export function recordedEnvNames({ deployment, target, options }: RenderContext): readonly string[] {
  const shapes: (secret: Secret) => boolean =
    target === "aws"
      ? (secret) => !secret.required && secret.destinations.length > 0
      : target === "docker"
        ? ({ name }) => name === DATABASE_URL && !routesDatabase(deployment)
        : () => false;
  const names = deployment.secrets
    .filter((secret) => shapes(secret) && options.supplied.has(secret.name))
    .map((secret) => secret.name);
  return [...new Set(names)].sort(compareText);
}
