import { printable } from "../../base/printable.ts";
import { phrase } from "../../base/phrase.ts";
import type { TargetName, WrittenConfig } from "../../config/written-config.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { dockerName, flyAppPrefix } from "../../deployment/derived-names.ts";
import type { DatabaseContext } from "../database.ts";
import { secretsByWorkload, type WorkloadSecret } from "../secrets.ts";
import { inStartOrder } from "../workloads.ts";
import { drawAddresses } from "./addresses.ts";
import { drawAgents } from "./agents.ts";
import { Drawing } from "./drawing.ts";
import type { DeploymentGraph, GraphSecret } from "./graph.ts";
import { grouped, MOST_ALIKE } from "./grouped.ts";
import { drawParties } from "./parties.ts";
import { drawStores } from "./stores.ts";

/**
 * The picture of a deployment: who calls whom, what is kept where, which secrets go where, on what agents work, and who is
 * outside. Made from what is resolved, so that of a broken config it has what is sound. `mask` is what every text of it goes
 * through; values of secrets are in none of them.
 */
export function deploymentGraph(context: DatabaseContext, mask: (text: string) => string): DeploymentGraph {
  const { deployment } = context;
  const shown = (text: string): string => printable(mask(text));
  const drawing = new Drawing(shown);
  const secrets = secretsByWorkload(deployment);
  drawPeople(drawing, deployment);
  for (const workload of inStartOrder(deployment.workloads).toReversed()) {
    const { name, kind } = workload;
    const facts = { kind, title: name, lines: workloadLines(deployment, workload), inside: true };
    drawing.node(`workload:${name}`, { ...facts, secrets: graphSecrets(secrets.get(name)) });
  }
  drawEntrance(drawing, deployment);
  drawAddresses(drawing, deployment);
  drawStores(drawing, context);
  drawAgents(drawing, deployment);
  drawParties(drawing, deployment);
  const { nodes, edges } = grouped(drawing);
  const place = placeName(deployment.target, deployment.config);
  const title = `${deployment.config.orgId ?? "A deployment"} on ${deployment.target ?? "no target"}`;
  return { title: shown(title), description: shown(describe(deployment)), place: shown(place), nodes, edges };
}

/** Each secret once, whatever names it has inside. */
function graphSecrets(delivered: readonly WorkloadSecret[] = []): readonly GraphSecret[] {
  const all = new Map(delivered.map(({ secret: { name, required } }) => [name, { name, required }]));
  return [...all.values()];
}

function describe({ workloads, sandbox, target, release }: Deployment): string {
  const services = workloads.filter(({ kind }) => kind === "service").map(({ name }) => name);
  const plugins = workloads.filter(({ kind }) => kind === "plugin").map(({ name }) => name);
  const names = [...services, ...(plugins.length > MOST_ALIKE ? [`${plugins.length} plugins`] : plugins)];
  const backends = sandbox.selected.map(({ title }) => title);
  const runs = names.length === 0 ? "Nothing runs" : `${phrase(names)} ${names.length === 1 ? "runs" : "run"}`;
  return `${runs} on ${target ?? "no target"} under qm ${release.resolved}; agents work on ${phrase(backends) || "nothing"}.`;
}

function placeName(target: TargetName | null, config: WrittenConfig): string {
  switch (target) {
    case "docker":
      return `Docker network ${dockerName(config)}`;
    case "fly":
      return `Fly organization ${config.flyOrg?.trim() ?? ""}, ${config.region ?? "no region"}`.replace(" ,", ",");
    case "aws":
      return `ECS cluster ${config.aws?.cluster ?? ""}, ${config.aws?.region ?? "no region"}`.replace(" ,", ",");
    default:
      return "No target";
  }
}

function workloadLines(
  { config, target }: Deployment,
  { name, kind, hosts, image, sourceDirectory }: Workload,
): string[] {
  const guests = hosts.filter((host) => host !== name);
  const prefix = target === "fly" ? flyAppPrefix(config) : null;
  return [
    ...(guests.length === 0 ? [] : [`runs ${phrase(guests)} too`]),
    ...(prefix === null ? [] : [`app ${prefix.value}-${name}`]),
    ...(kind === "plugin" ? [sourceDirectory === null ? "plugin" : `plugin, built from ${sourceDirectory}`] : []),
    ...(image?.provenance.kind === "config" && kind === "service" ? ["own image"] : []),
  ];
}

/** The services that people's browsers are sent to, best first. */
const ENTRANCES = ["portal", "web-ui"] as const;

function drawPeople(drawing: Drawing, { workloads }: Deployment): void {
  if (workloads.some(({ name }) => (ENTRANCES as readonly string[]).includes(name)))
    drawing.node("people", { kind: "people", title: "People" });
}

function drawEntrance(drawing: Drawing, { publicOrigin }: Deployment): void {
  const people = drawing.find("people");
  const entrance = ENTRANCES.map((name) => drawing.find(`workload:${name}`)).find((id) => id !== null);
  if (people !== null && entrance != null) drawing.edge(people, entrance, publicOrigin ?? "");
}
