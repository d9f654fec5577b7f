import { compareText } from "../../base/text-order.ts";
import type { Deployment, Secret, Workload } from "../../deployment/deployment.ts";
import { type Rename, renamesBetween } from "../../catalog/settings/index.ts";
import type { Rendered } from "../../render/artifact.ts";
import { artifactsByName, changedArtifacts } from "../artifacts.ts";
import { supplyText } from "../deployment-view.ts";
import type { ValueMask } from "../value-mask.ts";

export type Change = "added" | "removed" | "changed";
export type WorkloadChange = NonNullable<ReturnType<typeof workloadChange>>;

/** A deployment with what `render` makes of it, the slowest to find out, so that it is found out once. */
export interface RenderedDeployment {
  readonly deployment: Deployment;
  readonly rendered: Rendered;
}

/** What is not the same in two deployments; see docs/json.md. What may be secret is `[hidden]`. */
export type Changes = ReturnType<typeof findChanges>;

export function findChanges(before: RenderedDeployment, after: RenderedDeployment, mask: ValueMask) {
  return {
    workloads: workloadChanges(before.deployment, after.deployment, mask),
    secrets: secretChanges(before.deployment, after.deployment),
    artifacts: artifactChanges(before, after),
  };
}

function changeOf(from: unknown, to: unknown): Change {
  return from === undefined ? "added" : to === undefined ? "removed" : "changed";
}

/** The workloads that are not the same, in the order of the new deployment, those that go last. */
function workloadChanges(before: Deployment, after: Deployment, mask: ValueMask): readonly WorkloadChange[] {
  const old = new Map(before.workloads.map((workload) => [workload.name, workload]));
  const now = new Map(after.workloads.map((workload) => [workload.name, workload]));
  const renames = renamesBetween(before.release.release, after.release.release);
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((name) => workloadChange(name, [old.get(name), now.get(name)], renames, mask))
    .filter((change) => change !== null);
}

/** One name of a workload's environment that is not the same. `formerName`: what the release before calls a setting that is renamed, else null. */
export interface EnvironmentChange {
  readonly name: string;
  readonly change: Change | "renamed";
  readonly formerName: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

function workloadChange(
  name: string,
  [before, after]: readonly [Workload | undefined, Workload | undefined],
  renames: readonly Rename[],
  mask: ValueMask,
) {
  const masked = (key: string, value: string | undefined) => (value === undefined ? null : mask(key, value));
  const [from, to] = [before?.image?.reference, after?.image?.reference];
  const image = from === to ? null : { from: masked("image", from), to: masked("image", to) };
  const old = new Map(before?.environment.map((entry) => [entry.name, entry.value]));
  const now = new Map(after?.environment.map((entry) => [entry.name, entry.value]));
  const renamed = renamedIn(before, after, renames);
  const former = new Set(renamed.values());
  const environment = [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key) && !former.has(key))
    .sort(compareText)
    .map((key): EnvironmentChange => {
      const formerName = renamed.get(key) ?? null;
      const [from, to] = [old.get(formerName ?? key), now.get(key)];
      return {
        name: key,
        change: formerName === null ? changeOf(from, to) : "renamed",
        formerName,
        from: masked(formerName ?? key, from),
        to: masked(key, to),
      };
    });
  const change = changeOf(before, after);
  // The image is null where it is the same. Secrets are not in the environment.
  return change === "changed" && environment.length === 0 && image === null
    ? null
    : { name, change, image, environment };
}

/** The names that a workload of both has under another name now: what is new, by its name, with what it was. */
function renamedIn(
  before: Workload | undefined,
  after: Workload | undefined,
  renames: readonly Rename[],
): ReadonlyMap<string, string> {
  const has = (workload: Workload | undefined, name: string): boolean =>
    workload?.environment.some((entry) => entry.name === name) === true;
  const hosts: readonly string[] = after?.hosts ?? [];
  return new Map(
    renames
      .filter(
        ({ service, from, to }) =>
          (service === "all" || hosts.includes(service)) &&
          has(before, from) &&
          has(after, to) &&
          !has(before, to) &&
          !has(after, from),
      )
      .map(({ from, to }) => [to, from]),
  );
}

/** The secrets to add, to retire, and those that are used otherwise; each sorted by name. */
function secretChanges(before: Deployment, after: Deployment) {
  const old = new Map(before.secrets.map((secret) => [secret.name, secret]));
  const now = new Set(after.secrets.map((secret) => secret.name));
  return {
    add: after.secrets
      .filter(({ name }) => !old.has(name))
      .map((secret) => {
        const { name, required, managedBy, reason, destinations } = secret;
        return { name, required, managedBy, reason, making: supplyText(secret, after), destinations };
      }),
    retire: before.secrets.filter(({ name }) => !now.has(name)).map(({ name }) => name),
    change: after.secrets.flatMap((secret) => secretChange(old.get(secret.name), secret) ?? []),
  };
}

function secretChange(before: Secret | undefined, after: Secret) {
  if (before === undefined) return null;
  const places = ({ destinations }: Secret) => destinations.map(({ workload, env }) => `${workload}.${env}`);
  const [old, now] = [new Set(places(before)), new Set(places(after))];
  const addedTo = [...now].filter((place) => !old.has(place));
  const removedFrom = [...old].filter((place) => !now.has(place));
  if (before.required === after.required && addedTo.length === 0 && removedFrom.length === 0) return null;
  return { name: after.name, required: { from: before.required, to: after.required }, addedTo, removedFrom };
}

/** The artifacts that are not the same, as paths below the deployment directory; null where there is nothing to render for. */
function artifactChanges(before: RenderedDeployment, after: RenderedDeployment) {
  if (before.deployment.target === null || after.deployment.target === null) return null;
  const [old, now] = [artifactPaths(before), artifactPaths(after)];
  return changedArtifacts(old, now).map((name) => {
    const [from, to] = [countLines(old.get(name)), countLines(now.get(name))];
    const change = changeOf(old.get(name), now.get(name));
    return { name, change, linesAdded: surplus(to, from), linesRemoved: surplus(from, to) };
  });
}

function artifactPaths({ deployment, rendered }: RenderedDeployment): ReadonlyMap<string, string> {
  const texts = artifactsByName(rendered);
  return new Map([...texts].map(([name, text]) => [`rendered/${deployment.target}/${name}`, text]));
}

function countLines(text: string | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text?.replace(/\n$/, "").split("\n") ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** How many lines of one text the other has not, whatever their order: enough for a summary, and linear in their length. */
function surplus(of: ReadonlyMap<string, number>, over: ReadonlyMap<string, number>): number {
  let lines = 0;
  for (const [line, count] of of) lines += Math.max(0, count - (over.get(line) ?? 0));
  return lines;
}
