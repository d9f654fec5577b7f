import type { Deployment, Secret } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { memoizeByObject } from "../../base/memo.ts";
import { names, own, samePath } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { secretRoutes } from "./secret-env.ts";

/** Two secrets that would both be the same environment name of one workload. */
export const COLLISION: Rule = {
  id: "secrets/collision",
  title: "Two secrets for one environment name",
  severity: "error",
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
      const route = secrets
        .map(({ name }) => routes.get(JSON.stringify([env, name])))
        .find((each) => each !== undefined);
      const path = route?.path ?? placeOf(secrets, deployment);
      report({
        message: `${names(secrets.map((secret) => secret.name))} would both be \`${env}\` of \`${workload}\``,
        help: "give each its own environment name, or use one secret for both",
        place: { path },
      });
    }
    const { sandbox } = deployment.config;
    for (const [at, name] of (sandbox?.secretEnv ?? []).entries()) {
      if (own(sandbox?.env, name) === undefined) continue;
      report({
        message: `\`${name}\` stands in \`sandbox.secretEnv\` and in \`sandbox.env\`: agents can get only one of the two`,
        help: "remove one of them",
        place: { path: ["sandbox", "secretEnv", at] },
      });
    }
  },
};

interface Contest {
  readonly workload: string;
  readonly env: string;
  readonly secrets: readonly Secret[];
}

/** The places that two secrets of a catalogue would take. */
const contested = memoizeByObject((secrets: readonly Secret[]): readonly Contest[] => {
  const byPlace = new Map<string, { workload: string; env: string; secrets: Secret[] }>();
  for (const secret of secrets) {
    for (const { workload, env } of secret.destinations) {
      const key = JSON.stringify([workload, env]);
      const contest = byPlace.get(key) ?? { workload, env, secrets: [] };
      contest.secrets.push(secret);
      byPlace.set(key, contest);
    }
  }
  return [...byPlace.values()].filter((contest) => new Set(contest.secrets.map((secret) => secret.name)).size > 1);
});

/** The entry that a deployer wrote, rather than the row that the catalogue has anyway. */
function placeOf(secrets: readonly Secret[], { document }: Deployment): ConfigPath {
  const written = secrets.flatMap((secret) => secret.because).filter((path) => document.node(path) !== undefined);
  return written.find((path) => !samePath(path, ["services"]) && path[0] !== "env") ?? written[0] ?? ["services"];
}
