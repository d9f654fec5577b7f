import type { Machine } from "../../../src/boxd/driver/client.ts";
import type { FakeMachine } from "./machine.ts";
import type { Quirks } from "./quirks.ts";

/** The domain under which machines have their HTTPS routes. */
export const DOMAIN = "machines.boxd.test";

/** The record of a machine as the SDK answers it: plain data, the state of this moment. */
export function machineRecord(machine: FakeMachine, org: { id: string; slug: string }, quirks: Quirks): Machine {
  const { id, name, status, params, timers } = machine;
  if (quirks.records === "bare") return { id, name, status };
  const full = {
    id,
    name,
    status,
    imageRef: params.image ?? "ubuntu-24.04",
    restartPolicy: params.restartPolicy ?? "always",
    createdAt: new Date(machine.createdAt),
    resources: { ...machine.resources },
    org: { id: org.id, name: org.slug },
    shared: false,
    botProtection: machine.botProtection !== "off",
    botProtectionMode: machine.botProtection,
    idleIgnoreOutbound: machine.idleIgnoreOutbound,
    networking: { networks: [...machine.networks], isolated: machine.isolated },
    egressAllow: [...machine.egressAllow],
    access: { sshPort: null, domain: DOMAIN, url: urlOf(name, quirks), desktopUrl: "", customDomains: [] },
    idle: { ...timers.idle, destroyAfter: timers.autoDestroy },
    source: machine.source,
    hibernatedAt: null,
    lastConnectedAt: null,
    bootTimeMs: 8,
    deleteAt: timers.deleteAt === null ? null : new Date(timers.deleteAt),
    ...(quirks.labels === "kept" ? { labels: { ...machine.labels } } : {}),
  };
  return full;
}

function urlOf(name: string, quirks: Quirks): string {
  return quirks.url === "empty" ? "" : `${quirks.url}://${name}.${DOMAIN}`;
}
