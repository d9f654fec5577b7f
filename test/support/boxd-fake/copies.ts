import { randomUUID } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { MachineConfig, MachineCreateParams } from "../../../src/boxd/driver/client.ts";
import { grpcError } from "./errors.ts";
import type { FakeMachine } from "./machine.ts";
import type { FakePlane } from "./plane.ts";
import { requirePresent, requireStatus } from "./status.ts";
import { checkName, refuse, resourcesOf, type Resources } from "./validate.ts";

/** Where a machine came from, as its record says it. */
export interface Source {
  kind: "snapshot" | "fork";
  name: string;
  version: number | null;
  id: string | null;
}

/** What a machine takes over from a snapshot or another machine. */
export interface Origin {
  readonly source: Source;
  readonly resources: Resources;
  readonly labels: Readonly<Record<string, string>>;
  readonly isolated: boolean;
  /** the directory that its home is a copy of */
  readonly home?: string | undefined;
}

/** A capture of the org's, by name. Tests that need no more give state and size. */
export interface Snapshot {
  status: "pending" | "ready" | "failed";
  vcpu: number;
  id?: string;
  version?: number;
  labels?: Readonly<Record<string, string>>;
  isolated?: boolean;
  home?: string;
  createdAt?: Date;
  updatedAt?: Date;
  useCount?: number;
}

/** Captures a running machine; the same name again makes its next version. Its first reading still shows it pending. */
export function takeSnapshot(plane: FakePlane, machine: FakeMachine, name: string): Snapshot {
  checkName(name);
  requireStatus(machine.name, machine.status, ["running"], "snapshot");
  const before = plane.snapshots.get(name);
  const id = before?.id ?? randomUUID();
  const home = join(plane.root, `snapshot-${id}`);
  rmSync(home, { recursive: true, force: true });
  cpSync(machine.disk.home, home, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const now = new Date(plane.clock.wallNow());
  const snapshot: Snapshot = {
    status: "pending",
    vcpu: machine.resources.vcpu,
    id,
    version: (before?.version ?? 0) + 1,
    labels: { ...machine.labels },
    isolated: machine.isolated,
    home,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    useCount: before?.useCount ?? 0,
  };
  plane.snapshots.set(name, snapshot);
  return snapshot;
}

/** By name or id; NOT_FOUND when there is none. */
function findSnapshot(plane: FakePlane, nameOrId: string): [name: string, snapshot: Snapshot] {
  const found = [...plane.snapshots].find(([name, { id }]) => name === nameOrId || id === nameOrId);
  if (found === undefined) throw grpcError(5, `snapshot not found: ${nameOrId}`);
  return found;
}

export function readSnapshot(plane: FakePlane, nameOrId: string): [name: string, snapshot: Snapshot] {
  const [name, snapshot] = findSnapshot(plane, nameOrId);
  const shown = { ...snapshot };
  if (snapshot.status === "pending" && snapshot.home !== undefined) snapshot.status = "ready";
  return [name, shown];
}

export function dropSnapshot(plane: FakePlane, nameOrId: string): void {
  const [name, { home }] = findSnapshot(plane, nameOrId);
  plane.snapshots.delete(name);
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
}

/** What a restored machine begins with: the captured size, which a config may name again and not change. */
export function fromSnapshot(plane: FakePlane, nameOrId: string, config: MachineConfig | undefined): Origin {
  const [name, snapshot] = findSnapshot(plane, nameOrId);
  if (snapshot.status !== "ready") refuse(`snapshot '${name}' is ${snapshot.status}`);
  const resources = resourcesOf({ vcpu: snapshot.vcpu });
  if (namesSize(config) && resourcesOf(config).vcpu !== snapshot.vcpu)
    refuse("a machine restored from a snapshot keeps the snapshot's size");
  snapshot.useCount = (snapshot.useCount ?? 0) + 1;
  const { id = null, version = 1, labels = {}, isolated = false, home } = snapshot;
  return { source: { kind: "snapshot", name, version, id }, resources, labels, isolated, home };
}

/** A copy of a machine, which takes over its labels, its isolation, its size unless another is asked for, and its delete timer, begun anew. */
export function fork(plane: FakePlane, source: FakeMachine, params: MachineCreateParams): FakeMachine {
  requirePresent(source.status);
  const { id, name, labels, isolated, resources, disk, timers } = source;
  const origin: Origin = {
    source: { kind: "fork", name, version: null, id },
    resources: namesSize(params.config) ? resourcesOf(params.config) : resources,
    labels,
    isolated,
    home: disk.home,
  };
  const copy = plane.allocate(params, origin);
  if (timers.deleteAfterSeconds !== 0) copy.timers.deleteAfter(timers.deleteAfterSeconds);
  copy.egressAllow = source.egressAllow;
  return copy;
}

function namesSize({ vcpu, memory }: MachineConfig = {}): boolean {
  return vcpu !== undefined || memory !== undefined;
}
