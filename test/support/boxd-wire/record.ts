import type { Machine } from "../../../src/boxd/driver/client.ts";
import type { Message } from "./codec.ts";

/** What the port's `Machine` leaves out and the wire has. */
interface FullMachine extends Omit<Machine, "networking"> {
  imageRef?: string;
  restartPolicy?: string | null;
  shared?: boolean;
  botProtection?: boolean;
  botProtectionMode?: string;
  networking?: { isolated: boolean; networks?: string[] } | null;
  source?: { kind: string; name: string; version: number | null; id: string | null } | null;
  idleIgnoreOutbound?: boolean;
}

/** A record as `GetVm` and `ListVms` answer it. What the record lacks has proto3's default, and reads as such. */
export function toWire(machine: Machine): Message {
  const full: FullMachine = machine;
  const { org, resources, idle, source } = full;
  return {
    vm_id: full.id,
    name: full.name,
    status: full.status,
    image_ref: full.imageRef ?? "",
    restart_policy: full.restartPolicy ?? "",
    created_at: Math.floor((full.createdAt?.getTime() ?? 0) / 1000),
    vcpu: resources?.vcpu ?? 0,
    memory_bytes: resources?.memoryBytes ?? 0,
    disk_bytes: resources?.diskBytes ?? 0,
    // `org` is blank for a machine that is not shared with its org; who pays is told in any case.
    org: full.shared === true ? (org?.name ?? "") : "",
    org_id: full.shared === true ? (org?.id ?? "") : "",
    billing_org: org?.name ?? "",
    billing_org_id: org?.id ?? "",
    access_domain: full.access?.domain ?? "",
    networks: full.networking?.networks ?? [],
    isolated: full.networking?.isolated ?? false,
    egress_allow: full.egressAllow ?? [],
    auto_suspend_timeout_secs: idle?.suspendAfter ?? 0,
    auto_hibernate_timeout_secs: idle?.hibernateAfter ?? 0,
    auto_destroy_timeout_secs: idle?.destroyAfter ?? 0,
    idle_ignore_outbound: full.idleIgnoreOutbound ?? false,
    bot_protection: full.botProtection ?? false,
    bot_protection_mode: full.botProtectionMode ?? "",
    delete_at_ms: full.deleteAt?.getTime() ?? 0,
    labels: full.labels ?? {},
    ...(source == null
      ? {}
      : { source_info: { kind: source.kind, name: source.name, version: source.version ?? 0, id: source.id ?? "" } }),
  };
}

/** The record that the SDK makes of the wire's: 0 and blank mean "none" for some fields, and "off" or themselves for others. */
export function fromWire(wire: Message): Machine {
  const seconds = (value: number): Date | null => (value === 0 ? null : new Date(value * 1000));
  const domain: string = wire["access_domain"];
  const full: FullMachine = {
    id: wire["vm_id"],
    name: wire["name"],
    status: wire["status"],
    imageRef: wire["image_ref"],
    restartPolicy: wire["restart_policy"] === "" ? null : wire["restart_policy"],
    createdAt: seconds(wire["created_at"]),
    resources: { vcpu: wire["vcpu"], memoryBytes: wire["memory_bytes"], diskBytes: wire["disk_bytes"] },
    org: wire["billing_org_id"] === "" ? null : { id: wire["billing_org_id"], name: wire["billing_org"] },
    shared: wire["org_id"] !== "",
    networking: { networks: wire["networks"], isolated: wire["isolated"] },
    egressAllow: wire["egress_allow"],
    access: { domain, url: domain === "" ? "" : `https://${wire["name"]}.${domain}` },
    idle: {
      suspendAfter: wire["auto_suspend_timeout_secs"],
      hibernateAfter: wire["auto_hibernate_timeout_secs"],
      destroyAfter: wire["auto_destroy_timeout_secs"],
    },
    idleIgnoreOutbound: wire["idle_ignore_outbound"],
    botProtection: wire["bot_protection"],
    botProtectionMode: wire["bot_protection_mode"],
    deleteAt: wire["delete_at_ms"] === 0 ? null : new Date(wire["delete_at_ms"]),
    labels: wire["labels"],
    source: wire["source_info"] ?? null,
  };
  return full as Machine;
}

/** What `create` answers when its second step, reading the machine, fails: the machine exists, and little is known of it. */
export function fromCreated(wire: Message): Machine {
  return {
    id: wire["vm_id"],
    name: wire["name"],
    status: wire["status"],
    createdAt: null,
    resources: { vcpu: 0, memoryBytes: 0, diskBytes: 0 },
    org: null,
    networking: { isolated: false },
    egressAllow: [],
    labels: {},
    access: { domain: "", url: "" },
    idle: { suspendAfter: 0, hibernateAfter: 0, destroyAfter: 0 },
    deleteAt: null,
  };
}
