import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { compareText } from "../../base/text-order.ts";
import type { ValueMask } from "../value-mask.ts";
import type { ValueChange, WorkloadChange } from "./deployment-diff.ts";

function environmentChanges(before: Workload | undefined, after: Workload | undefined, mask: ValueMask): ValueChange[] {
  const old = new Map(before?.environment.map(({ name, value }) => [name, value]));
  const now = new Map(after?.environment.map(({ name, value }) => [name, value]));
  const changes: ValueChange[] = [];
  for (const name of [...new Set([...old.keys(), ...now.keys()])].sort(compareText)) {
    const [from, to] = [old.get(name), now.get(name)];
    if (from === to) continue;
    changes.push({
      name,
      change: from === undefined ? "added" : to === undefined ? "removed" : "changed",
      from: from === undefined ? null : mask(name, from),
      to: to === undefined ? null : mask(name, to),
    });
  }
  return changes;
}

function workloadChange(
  name: string,
  before: Workload | undefined,
  after: Workload | undefined,
  mask: ValueMask,
): WorkloadChange | null {
  const environment = environmentChanges(before, after, mask);
  const [from, to] = [before?.image?.reference ?? null, after?.image?.reference ?? null];
  const image =
    from === to
      ? null
      : { from: from === null ? null : mask("image", from), to: to === null ? null : mask("image", to) };
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  if (change === "changed" && environment.length === 0 && image === null) return null;
  return { name, change, image, environment };
}

/** The workloads that are not the same, in the order of the new deployment, those that go last. */
export function workloadChanges(before: Deployment, after: Deployment, mask: ValueMask): readonly WorkloadChange[] {
  const old = new Map(before.workloads.map((workload) => [workload.name, workload]));
  const now = new Map(after.workloads.map((workload) => [workload.name, workload]));
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((name) => workloadChange(name, old.get(name), now.get(name), mask))
    .filter((change) => change !== null);
}
