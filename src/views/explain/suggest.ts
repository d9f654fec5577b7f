import { BACKENDS } from "../../catalog/backends/index.ts";
import { RELEASE_VERSIONS } from "../../catalog/releases/index.ts";
import { settingField, vocabulary } from "../../catalog/vocabulary.ts";
import { secretRows } from "../../catalog/secrets.ts";
import { closestName } from "../../base/closest-name.ts";
import { readPath, showPath } from "../../base/config-path.ts";
import { schemaAt } from "../../config/schema/lookup.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { ruleRegistry } from "../../rules/registry.ts";
import { pathsBelow } from "../../config/node.ts";

function deploymentNames(deployment: Deployment): string[] {
  const { workloads, secrets, document, release } = deployment;
  return [
    ...workloads.flatMap(({ name, environment }) =>
      environment.flatMap((entry) => [entry.name, `${name}.${entry.name}`]),
    ),
    ...secrets.flatMap(({ name, destinations }) => [
      name,
      ...destinations.map(({ workload, env }) => `${workload}.${env}`),
    ]),
    ...secretRows(release.release).map(({ name }) => name),
    ...pathsBelow(document.root),
  ];
}

/** For a path whose last step is misspelt: the same path with the nearest key of the schema. */
function nearestField(thing: string): string | null {
  const reading = readPath(thing);
  if (!reading.ok) return null;
  const parent = reading.path.slice(0, -1);
  const last = reading.path.at(-1);
  if (typeof last !== "string") return null;
  const key = closestName(last, schemaAt(parent)?.names ?? []);
  return key === null ? null : showPath([...parent, key]);
}

/** What was probably meant by a thing that nothing is called; null where nothing is near. */
export function suggestThing(thing: string, deployment: Deployment | null): string | null {
  const ruleIds = [...ruleRegistry().keys()];
  const all: string[] = [
    ...ruleIds,
    ...BACKENDS.map(({ name }) => name),
    ...vocabulary().flatMap((entry) => [entry.setting.name, settingField(entry)]),
    ...RELEASE_VERSIONS,
    ...(deployment === null ? [] : deploymentNames(deployment)),
  ];
  const found = closestName(thing, [...new Set(all)]);
  if (found !== null) return found;
  const byLastPart = closestName(
    thing,
    ruleIds.map((id) => id.slice(id.indexOf("/") + 1)),
  );
  return nearestField(thing) ?? ruleIds.find((id) => byLastPart !== null && id.endsWith(`/${byLastPart}`)) ?? null;
}
