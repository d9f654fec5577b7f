/** Which machines of an org this toolkit has made, and for what: told by the labels and names that its parts give. */
import type { Machine } from "./client.ts";
import { MANAGED_BY, MANAGED_BY_LABEL } from "./labels.ts";

/** What a machine was made for: a scope of qm, a throw-away computer of qm, a lease of Paperclip, a container of OpenEnv, a smoke run, or by a caller of the driver. */
export type MachineKind = "qm" | "scratch" | "paperclip" | "openenv" | "smoke" | "other";

/** A machine of this toolkit. */
export interface ToolkitMachine {
  readonly machine: Machine;
  readonly kind: MachineKind;
  /** whose it is, as its labels say: qm's scope, or Paperclip's environment and run; null where they say nothing */
  readonly owner: string | null;
}

/** Names that begin so are a smoke run's. */
export const SMOKE_PREFIX = "qmdeploy-smoke";

type Labels = Readonly<Record<string, string>>;

/** The first that fits counts. `owner` lists labels whose values say whose a machine is. */
const BY_LABEL: readonly { kind: MachineKind; fits: (labels: Labels) => boolean; owner: readonly string[] }[] = [
  {
    kind: "paperclip",
    fits: (labels) => labels["paperclip-provider"] === "boxd",
    owner: ["paperclip-environment", "paperclip-run"],
  },
  { kind: "openenv", fits: (labels) => labels[MANAGED_BY_LABEL] === "openenv", owner: [] },
  { kind: "qm", fits: (labels) => isOurs(labels) && labels["qm-scope"] !== undefined, owner: ["qm-scope"] },
  { kind: "scratch", fits: (labels) => isOurs(labels) && labels["qm-scratch"] !== undefined, owner: ["qm-scratch"] },
];

/** For machines whose labels say no more than that they are ours, or that show none; `<prefix>` is that of qm's machines. */
const BY_NAME: readonly { kind: MachineKind; prefix: string; end: RegExp }[] = [
  { kind: "smoke", prefix: `${SMOKE_PREFIX}-`, end: /^[0-9a-f]{12}$/ },
  { kind: "paperclip", prefix: "paperclip-", end: /^(?:probe-)?[0-9a-f]{12}$/ },
  { kind: "openenv", prefix: "openenv-", end: /^[0-9a-f]{12}$/ },
  { kind: "scratch", prefix: "<prefix>-scratch-", end: /^[a-z0-9-]+-[0-9a-f]{6}$/ },
  { kind: "qm", prefix: "<prefix>-", end: /^[a-z0-9-]+-[0-9a-f]{6}$/ },
];

/** What this toolkit made a machine for, or null for a machine of somebody else. `qmPrefix` begins the names of qm's machines (BOXD_NAME_PREFIX). */
export function toolkitMachine(machine: Machine, qmPrefix = "qm"): ToolkitMachine | null {
  const labels = machine.labels ?? {};
  const found = BY_LABEL.find(({ fits }) => fits(labels));
  if (found !== undefined) {
    const values = found.owner.map((label) => labels[label] ?? "").filter((value) => value !== "");
    return { machine, kind: found.kind, owner: values.length === 0 ? null : values.join(" ") };
  }
  // Labels that say nothing of ours are somebody else's.
  if (Object.keys(labels).length > 0 && !isOurs(labels)) return null;
  const named = BY_NAME.find(({ prefix, end }) => {
    const start = prefix.replace("<prefix>", qmPrefix);
    return machine.name.startsWith(start) && end.test(machine.name.slice(start.length));
  });
  if (named !== undefined) return { machine, kind: named.kind, owner: null };
  return isOurs(labels) ? { machine, kind: "other", owner: null } : null;
}

function isOurs(labels: Labels): boolean {
  return labels[MANAGED_BY_LABEL] === MANAGED_BY;
}
