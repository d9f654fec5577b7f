/** Calls that boxd has and the port has not: straight to the machines, without the port's checks, records and faults. */
import { dropSnapshot, fork, readSnapshot, takeSnapshot, type Snapshot } from "../boxd-fake/copies.ts";
import { DOMAIN, grpcError, type FakeMachine, type FakePlane } from "../boxd-fake/index.ts";
import type { ExposedPort } from "../boxd-fake/ports.ts";
import { requirePresent } from "../boxd-fake/status.ts";
import { copyPath, deletePath, listDir, makeDir, renamePath } from "../boxd-fake/tree.ts";
import { checkLabels, checkName, resourcesOf } from "../boxd-fake/validate.ts";
import type { Message } from "./codec.ts";
import { idOf } from "./handler.ts";
import { created, createParams, sizeText } from "./requests.ts";

type Call = (plane: FakePlane, request: Message) => Message | void | Promise<Message | void>;

export const BEYOND_PORT: Readonly<Record<string, Call>> = {
  SuggestVmName: () => ({ name: `calm-box-${Math.random().toString(36).slice(2, 8)}` }),
  ForkVm(plane, request) {
    const { source_vm_id: id } = request;
    const source = plane.find(idOf(request, "source_vm_id"));
    const copy = fork(plane, source, createParams(request));
    return { ...created(plane.record(copy)), forked_from: id };
  },
  async RenameVm(plane, request) {
    const machine = present(plane, request);
    checkName(request["new_name"]);
    plane.checkFree(request["new_name"]);
    if (machine.status === "running") await machine.reboot();
    machine.name = request["new_name"];
    return { name: machine.name };
  },
  async ResizeVm(plane, request) {
    const machine = present(plane, request);
    const { vcpu, memory_bytes: memory } = request;
    const resources = resourcesOf({
      ...(vcpu === 0 ? {} : { vcpu }),
      ...(memory === 0 ? {} : { memory: sizeText(memory) }),
    });
    const rebooted = await machine.resize(resources);
    return { vcpu: resources.vcpu, memory_bytes: resources.memoryBytes, rebooted };
  },
  SetVmNetworks(plane, request) {
    const machine = present(plane, request);
    machine.networks = [...request["networks"]];
    return { networks: machine.networks };
  },
  SetIdleIgnoreOutbound(plane, request) {
    present(plane, request).idleIgnoreOutbound = request["enabled"];
  },
  UpdateVmLabels(plane, request) {
    const machine = present(plane, request, "vm");
    const { set, remove, replace_all: isWhole } = request;
    if (isWhole === true && remove.length > 0) throw grpcError(3, "replace_all takes no keys to remove");
    const labels = { ...(isWhole === true ? {} : machine.labels), ...set };
    for (const key of remove) delete labels[key];
    checkLabels(labels);
    machine.labels = labels;
    return { labels };
  },
  CreateProxy(plane, request) {
    const machine = present(plane, request, "vm");
    const { name, port } = request;
    plane.routes(machine).create(name, port);
    return { name, vm_name: machine.name, domain: `${name}.${machine.name}.${DOMAIN}`, port };
  },
  DeleteProxy(plane, request) {
    plane.routes(present(plane, request, "vm")).delete(request["name"]);
  },
  ExposePort: (plane, request) =>
    portToWire(plane.ports.expose(present(plane, request, "vm"), request["vm_port"], request["protocol"])),
  UnexposePort: (plane, request) => ({
    forward: portToWire(plane.ports.unexpose(present(plane, request, "vm"), request["vm_port"])),
  }),
  ListExposedPorts: (plane, request) => ({
    forwards: plane.ports.list(request["vm"] === "" ? undefined : present(plane, request, "vm")).map(portToWire),
  }),
  ListDir(plane, request) {
    const { entries, truncated } = listDir(reached(plane, request).disk, request["path"]);
    return {
      entries: entries.map(({ name, isDir, sizeBytes, permissions, modifiedAt }) => {
        const at = Math.floor(modifiedAt.getTime() / 1000);
        return { name, is_dir: isDir, size_bytes: sizeBytes, permissions, modified_at: at, added_at: at };
      }),
      truncated,
    };
  },
  Mkdir(plane, request) {
    makeDir(reached(plane, request).disk, request["path"]);
  },
  DeletePath(plane, request) {
    deletePath(reached(plane, request).disk, request["path"]);
  },
  RenamePath(plane, request) {
    renamePath(reached(plane, request).disk, request["old_path"], request["new_path"]);
  },
  CopyPath(plane, request) {
    copyPath(reached(plane, request).disk, request["old_path"], request["new_path"]);
  },
  CreateSnapshot(plane, request) {
    const { id, version, status } = takeSnapshot(plane, present(plane, request, "vm"), request["name"]);
    return { snapshot_id: id, name: request["name"], version, status };
  },
  GetSnapshot: (plane, request) => ({ snapshot: snapshotToWire(readSnapshot(plane, request["name"])) }),
  ListSnapshots: (plane) => ({ snapshots: [...plane.snapshots].map(snapshotToWire) }),
  DeleteSnapshot(plane, request) {
    dropSnapshot(plane, request["name"]);
  },
};

function present(plane: FakePlane, request: Message, field = "vm_id"): FakeMachine {
  const machine = plane.find(idOf(request, field));
  requirePresent(machine.status);
  return machine;
}

/** For what the agent inside does. */
function reached(plane: FakePlane, request: Message): FakeMachine {
  if (!plane.quirks.fileApi) throw grpcError(12, "unknown method");
  const machine = plane.find(idOf(request));
  machine.reachAgent();
  return machine;
}

function portToWire({ machine, port, publicPort, protocol }: ExposedPort): Message {
  return {
    vm_id: machine.id,
    vm_name: machine.name,
    dns: `${machine.name}.${DOMAIN}`,
    public_port: publicPort,
    vm_port: port,
    protocol,
  };
}

function snapshotToWire([name, snapshot]: [string, Snapshot]): Message {
  const { id = name, version = 1, status, vcpu, createdAt, updatedAt, useCount = 0 } = snapshot;
  return {
    snapshot_id: id,
    name,
    version,
    status,
    vcpu,
    memory_bytes: resourcesOf({ vcpu }).memoryBytes,
    created_at: createdAt?.getTime() ?? 0,
    updated_at: updatedAt?.getTime() ?? 0,
    use_count: useCount,
  };
}
