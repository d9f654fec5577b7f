import type { Deployment } from "../../deployment/deployment.ts";
import { isWrittenEnv, type EnvConflict, findEnvConflicts } from "../../deployment/env-conflicts.ts";
import { field } from "../wording.ts";
import type { FindingPlace, Rule } from "../rule.ts";
import { keepsBackend } from "../sandbox/backend-by-secret.ts";
import { isManagedRoute, secretRoutes } from "./secret-env.ts";

/** A secret under a name that qm fills itself. */
export const DERIVED_NAME: Rule = {
  id: "secrets/derived-name",
  title: "Secret under a name that qm sets itself",
  severity: "error",
  clause: "config.secretEnv",
  why: "No container has a name both as a plain value and as a secret: ECS refuses it, and elsewhere one of the two is lost without a word. `render` refuses it on every target.",
  bad: '{ "secretEnv": { "core": { "SESSION_STORE": "ACME_STORE" } } }',
  good: '{ "secretEnv": { "core": { "ACME_STORE": "ACME_STORE" } } }',
  check(deployment, report) {
    for (const twice of findEnvConflicts(deployment)) {
      // A value out of `env` has its own finding; here it is qm that fills the name.
      if (isWrittenEnv(twice.entry)) continue;
      for (const place of placesOf(twice, deployment)) {
        report({
          message: `${field(place.path)} names what qm itself sets: \`${twice.entry.name}\` of \`${twice.workload.name}\``,
          help: "use another environment name, or remove it",
          place,
        });
      }
    }
  },
};

type ConfigPlace = Extract<FindingPlace, { readonly path: unknown }>;

/** Where the config sends the secret to the name, but for places that another rule of secrets speaks about. */
function placesOf({ workload, entry, secret }: EnvConflict, deployment: Deployment): ConfigPlace[] {
  if (workload.kind === "plugin") {
    const secrets = deployment.config.plugins?.[Number(workload.path[1])]?.secrets ?? [];
    return secrets.flatMap(({ name }, at) =>
      name === secret.name ? [{ path: [...workload.path, "secrets", at, "name"], at: "value" as const }] : [],
    );
  }
  return secretRoutes(deployment)
    .filter(
      (route) => route.name === entry.name && route.secret === secret.name && workload.hosts.includes(route.service),
    )
    .filter((route) => !isManagedRoute(route, deployment) && !keepsBackend(route))
    .map(({ path }) => ({ path }));
}
