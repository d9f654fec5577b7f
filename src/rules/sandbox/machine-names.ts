import type { Backend, MachineNames } from "../../catalog/backends/backend.ts";
import { coreValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { Diagnostic, Suppression } from "../../diagnostics/diagnostic.ts";
import { orderDiagnostics } from "../../diagnostics/order.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { RuleInfo } from "../../diagnostics/rule-info.ts";
import { field, type Rule, word } from "../rule.ts";
import { selectedAt } from "./remote-agents.ts";

export const MACHINE_NAME_RULES: readonly Rule[] = [
  {
    id: "boxd/prefix-unset",
    title: "boxd machine prefix not set",
    severity: "info",
    why: "A machine belongs to the deployment whose prefix its name has. Two deployments of one boxd org that both keep core's default prefix would use, and clean up, each other's machines.",
    bad: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": { "BOXD_NAME_PREFIX": "acme-qm" } }, "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      if (deployment.broken) return;
      for (const backend of deployment.sandbox.selected) {
        const { machineNames, title } = backend;
        if (machineNames === null || coreValue(deployment.config, machineNames.prefix.name) !== null) continue;
        const { name, default: prefix } = machineNames.prefix;
        report({
          message: `\`env.core.${name}\` is not set: machines are named \`${prefix}-…\`, as those of every other deployment without one`,
          help: `set a prefix of its own for each deployment that shares a ${title} ${machineNames.org === null ? "key" : "org"}`,
          place: { path: selectedAt(deployment, backend) },
        });
      }
    },
  },
];

/** What decides whether two deployments use the same machines: small, so that thousands can be compared. */
export interface MachineNaming {
  readonly backend: Backend;
  readonly names: MachineNames;
  readonly file: string;
  readonly range: SourceRange;
  /** Null where the key decides, which `check` cannot see. */
  readonly org: string | null;
  readonly prefix: string;
  /** The field that the range is at, for the message. */
  readonly place: string;
  /** Who suppresses findings of {@link SHARED_MACHINES} there; left out where nobody does. */
  readonly suppression?: Suppression;
}

/** A rule over several deployments, which are checked together. */
export const SHARED_MACHINES: RuleInfo = {
  id: "boxd/shared-machines",
  title: "Two deployments with the same boxd machines",
  severity: "error",
  concerns: "gate",
  why: "Machines are told apart by org and name prefix alone. Two deployments with the same ones would run their agents on, and delete, each other's machines. Where neither names its org, only their keys know: a warning.",
  bad: '{ "env": { "core": { "BOXD_ORG": "acme", "BOXD_NAME_PREFIX": "qm" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": { "BOXD_ORG": "acme", "BOXD_NAME_PREFIX": "qm-two" } }, "sandbox": { "backend": "boxd" } }',
};

/** What {@link findSharedMachines} must know of a deployment; null where it has no machines to share. */
export function machineNaming(deployment: Deployment): MachineNaming | null {
  const { sandbox, config, document } = deployment;
  const backend = sandbox.selected.find(({ machineNames }) => machineNames !== null);
  const names = backend?.machineNames ?? null;
  if (backend === undefined || names === null) return null;
  const prefix = coreValue(config, names.prefix.name);
  const path = prefix?.path ?? selectedAt(deployment, backend);
  return {
    backend,
    names,
    file: document.file,
    range: prefix === null ? document.keyRange(path) : document.valueRange(path),
    org: names.org === null ? null : (coreValue(config, names.org)?.value ?? null),
    prefix: prefix?.value ?? names.prefix.default,
    place: field(path),
  };
}

/** What is wrong with deployments only because there are the others; each finding is in the file of the one that it is about. */
export function findSharedMachines(all: readonly MachineNaming[]): Diagnostic[] {
  const groups = new Map<string, Map<string, MachineNaming>>();
  for (const one of all) {
    const key = JSON.stringify([one.backend.name, one.org, one.prefix]);
    const group = groups.get(key) ?? new Map<string, MachineNaming>();
    groups.set(key, group.set(one.file, one));
  }
  const found: Diagnostic[] = [];
  for (const group of groups.values()) {
    const [first, second] = group.values();
    if (first === undefined || second === undefined) continue;
    for (const one of group.values()) found.push(shared(one, one === first ? second : first, group.size - 1));
  }
  return orderDiagnostics(found);
}

/** Names one other deployment, the first, so that thousands of them do not make messages without end. */
function shared(one: MachineNaming, other: MachineNaming, others: number): Diagnostic {
  const rest = others === 1 ? "" : ` and ${others - 1} more`;
  const org = one.org === null ? "" : ` of the ${one.backend.title} org ${word(one.org)}`;
  const own = `\`env.core.${one.names.prefix.name}\``;
  return {
    rule: SHARED_MACHINES.id,
    clause: null,
    severity: one.org === null ? "warning" : "error",
    message: `${one.place} leaves this deployment the same machines (prefix ${word(one.prefix)})${org} as ${other.file}${rest}`,
    help:
      one.org === null && one.names.org !== null
        ? `give each its own ${own}, or name their orgs in \`env.core.${one.names.org}\` where their keys belong to different ones`
        : `give each deployment its own ${own}`,
    command: null,
    file: one.file,
    range: one.range,
    related: [{ file: other.file, range: other.range, message: "the same machines" }],
    fix: null,
    ...(one.suppression === undefined ? {} : { suppression: one.suppression }),
  };
}
