import type { Backend } from "../../catalog/backends/backend.ts";
import { findBackend } from "../../catalog/backends/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { apiAddress } from "../api-address.ts";
import { coreEntry } from "../workloads.ts";
import { drawOutside, hostOf } from "./addresses.ts";
import type { Drawing } from "./drawing.ts";

/** The computers that agents work on, one node for each backend that is named, known or not. */
export function drawAgents(drawing: Drawing, deployment: Deployment): void {
  const core = drawing.find("workload:core");
  const { effective, secondary, scopes } = deployment.sandbox;
  if (core === null) return;
  const roles = new Map<string, string[]>();
  const add = (name: string | undefined, role: string): void => {
    if (name !== undefined && name !== "") roles.set(name, [...(roles.get(name) ?? []), role]);
  };
  add(effective?.name, "primary");
  add(secondary?.name, "secondary");
  for (const { name } of scopes) add(name, "of a scope");
  for (const [name, named] of roles) {
    const backend = findBackend(name);
    const which = roles.size === 1 ? [] : [[...new Set(named)].join(", ")];
    const lines = [...which, ...(backend === undefined ? ["no known backend"] : backendLines(deployment, backend))];
    const title = `Agents on ${backend?.title ?? name}`;
    const agents = drawing.node(`agents:${name}`, { kind: "agents", title, lines, inside: backend?.remote === false });
    const isCalledBack = backend?.remote !== false;
    drawing.edge(core, agents, isCalledBack ? calledBackAt(deployment) : "", isCalledBack);
    if (backend !== undefined) drawEgress(drawing, deployment, agents, backend);
  }
}

/** What the config says of a backend's machines. */
function backendLines({ workloads, config, release }: Deployment, backend: Backend): string[] {
  const names = new Set(backend.settings.map(({ name }) => name).filter((name) => name !== backend.egressSetting));
  const settings = workloads
    .filter(({ name }) => name === "core")
    .flatMap(({ environment }) => environment)
    .filter(({ name, provenance }) => names.has(name) && provenance.kind === "config")
    .map(({ name, value }) => `${name}=${value}`);
  const isTaken = backend.fields(release.release).includes("app");
  const app = isTaken ? (config.sandbox?.app?.trim() ?? "") : "";
  return [...(app === "" ? [] : [`app ${app}`]), ...settings];
}

function calledBackAt(deployment: Deployment): string {
  const address = apiAddress(deployment);
  if (address === null) return "";
  return "url" in address ? (hostOf(address.url) ?? "") : address.secret;
}

/** Whom agents call: what `sandbox.env` has the addresses of, and their proxy, or whomever they like. */
function drawEgress(drawing: Drawing, deployment: Deployment, agents: string, backend: Backend): void {
  const { config } = deployment;
  const prefix = backend.sandboxEnvPrefix;
  const told = new Map<string, string[]>();
  for (const [name, value] of prefix === null ? [] : Object.entries(config.sandbox?.env ?? {})) {
    const host = hostOf(value);
    if (host !== null) told.set(host, [...(told.get(host) ?? []), name]);
  }
  drawOutside(drawing, agents, told);
  if (backend.egressSetting === null) return;
  const proxy = hostOf(coreEntry(deployment, backend.egressSetting)?.value ?? "");
  if (proxy !== null) drawOutside(drawing, agents, new Map([[proxy, [backend.egressSetting]]]));
  else drawing.edge(agents, drawing.node("internet", { kind: "outside", title: "The internet" }), "open egress");
}
