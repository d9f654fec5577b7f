import type { Deployment, Secret } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { field, type FindingPlace, names, own, type Rule, samePath, beside } from "../rule.ts";
import { managedRoutes, secretRoutes } from "./secret-env.ts";
import { isWrittenEnv, type EnvConflict, findEnvConflicts } from "../../deployment/env-conflicts.ts";
import { keepsBackend } from "../sandbox/backend-by-env.ts";

/** The places that get several secrets, each with them. */
function contested(secrets: readonly Secret[]) {
  const byPlace = new Map<string, { workload: string; env: string; secrets: Secret[] }>();
  for (const secret of secrets) {
    for (const { workload, env } of secret.destinations) {
      const key = `${workload} ${env}`;
      const contest = byPlace.get(key) ?? { workload, env, secrets: [] };
      contest.secrets.push(secret);
      byPlace.set(key, contest);
    }
  }
  return [...byPlace.values()].filter(({ secrets: [first, ...others] }) =>
    others.some(({ name }) => name !== first?.name),
  );
}

type ConfigPlace = Extract<FindingPlace, { readonly path: unknown }>;

/** Environment names that a workload would get twice. */
export const NAME_CONFLICT_RULES: readonly Rule[] = [
  {
    id: "secrets/collision",
    title: "Two secrets for one environment name",
    clause: "secrets.computed-set",
    why: "A workload has one value for each name. Which of two secrets wins would depend on the order in which they are written; qm refuses it.",
    bad: '{ "secretEnv": { "core": { "CAPABILITY_SECRET": "ACME_CAPABILITY" } } }',
    good: '{ "secretEnv": { "core": { "ACME_CAPABILITY": "ACME_CAPABILITY" } } }',
    check(deployment, report) {
      const contests = contested(deployment.secrets);
      const routes = new Map(
        (contests.length === 0 ? [] : secretRoutes(deployment)).map((route) => [
          JSON.stringify([route.name, route.secret]),
          route,
        ]),
      );
      for (const { workload, env, secrets } of contests) {
        const [route, ...others] = secrets
          .map(({ name }) => routes.get(JSON.stringify([env, name])))
          .filter((each) => each !== undefined);
        const path = route?.path ?? placeOf(secrets, deployment);
        report({
          message: `${names(secrets.map((secret) => secret.name))} would both be \`${env}\` of \`${workload}\``,
          help: "give each its own environment name, or use one secret for both",
          place: { path },
          related: others.map((other) => beside(other.path, "the other secret")),
        });
      }
      const { sandbox } = deployment.config;
      for (const [at, name] of (sandbox?.secretEnv ?? []).entries()) {
        if (own(sandbox?.env, name) === undefined) continue;
        report({
          message: `\`${name}\` stands in \`sandbox.secretEnv\` and in \`sandbox.env\`: agents can get only one of the two`,
          help: "remove one of them",
          place: { path: ["sandbox", "secretEnv", at] },
          related: [beside(["sandbox", "env", name], "the plain value")],
        });
      }
    },
  },
  {
    id: "secrets/derived-name",
    title: "Secret under a name that qm sets itself",
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
  },
];

/** The entry that a deployer wrote, rather than the row that the catalogue has anyway. */
function placeOf(secrets: readonly Secret[], { document }: Deployment): ConfigPath {
  const written = secrets.flatMap((secret) => secret.because).filter((path) => document.node(path) !== undefined);
  return written.find((path) => !samePath(path, ["services"]) && path[0] !== "env") ?? written[0] ?? ["services"];
}

/** Where the config sends the secret to the name, but for places that another rule of secrets speaks about. */
function placesOf({ workload, entry, secret }: EnvConflict, deployment: Deployment): ConfigPlace[] {
  if (workload.kind === "plugin") {
    const secrets = deployment.config.plugins?.[Number(workload.path[1])]?.secrets ?? [];
    return secrets.flatMap(({ name }, at) =>
      name === secret.name ? [{ path: [...workload.path, "secrets", at, "name"], at: "value" as const }] : [],
    );
  }
  const managedBy = managedRoutes(deployment);
  return secretRoutes(deployment)
    .filter(
      (route) => route.name === entry.name && route.secret === secret.name && workload.hosts.includes(route.service),
    )
    .filter((route) => managedBy(route) === null && !keepsBackend(route))
    .map(({ path }) => ({ path }));
}
