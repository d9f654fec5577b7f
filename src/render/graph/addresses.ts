import { compareText } from "../../base/text-order.ts";
import { hostKind } from "../../catalog/grammar/host.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";
import { apiOrigin } from "../../deployment/api-origin.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { workloadHosts } from "../../deployment/derived-names.ts";
import type { Drawing } from "./drawing.ts";

const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@\s]*@)?(\[[^\]\s]*\]|[^/?#:@\s]+)(?::\d+)?(?:[/?#]|$)/i;

/** The host of an address, lower-case; null where a text is no address. */
export function hostOf(text: string): string | null {
  return ADDRESS.exec(text.trim())?.[1]?.toLowerCase() ?? null;
}

/** Lines from every workload to whatever its environment has the address of: other workloads, and hosts outside. */
export function drawAddresses(drawing: Drawing, deployment: Deployment): void {
  const { target, config, publicOrigin, workloads, release } = deployment;
  const names = new Set<string>([...RUNNABLE_SERVICE_NAMES, ...workloads.map(({ name }) => name)]);
  const inside = new Map([...names].flatMap((name) => workloadHosts(target, config, name).map((host) => [host, name])));
  const own = new Set([publicOrigin, apiOrigin(deployment)].map((origin) => hostOf(origin ?? "")));
  const api = nameOf(release.release, "core.publicApiUrl");
  for (const { name, environment } of workloads) {
    const from = drawing.find(`workload:${name}`) as string;
    const outside = new Map<string, string[]>();
    for (const entry of environment) {
      const host = entry.name === api || isOfAgents(deployment, entry.name) ? null : hostOf(entry.value);
      if (host === null || own.has(host) || hostKind(host) === "loopback") continue;
      const called = inside.get(host);
      const to = called === undefined ? null : drawing.find(`workload:${called}`);
      if (called === undefined) outside.set(host, [...(outside.get(host) ?? []), entry.name]);
      else if (to !== null && to !== from) drawing.edge(from, to, entry.name);
    }
    drawOutside(drawing, from, outside);
  }
}

/** One node for all hosts outside that somebody calls; `names` are the settings that hold each. */
export function drawOutside(drawing: Drawing, from: string, names: ReadonlyMap<string, readonly string[]>): void {
  const hosts = [...names.keys()].sort(compareText);
  const [first] = hosts;
  if (first === undefined) return;
  const facts = hosts.length === 1 ? { title: first } : { title: `${hosts.length} addresses outside`, lines: hosts };
  const to = drawing.node(`hosts:${hosts.join(" ")}`, { kind: "outside", ...facts });
  for (const label of hosts.flatMap((host) => names.get(host) ?? [])) drawing.edge(from, to, label);
}

/** True for a name of core that is about its agents' computers, whose lines are drawn from there. */
function isOfAgents({ sandbox }: Deployment, name: string): boolean {
  return sandbox.selected.some(
    ({ settings, sandboxEnvPrefix }) =>
      settings.some((setting) => setting.name === name) ||
      (sandboxEnvPrefix !== null && name.startsWith(sandboxEnvPrefix)),
  );
}
