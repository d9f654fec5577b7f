import { closestName } from "../../base/closest-name.ts";
import { RUNNABLE_SERVICE_NAMES, type RunnableServiceName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field, names } from "../wording.ts";
import type { Report, Rule } from "../rule.ts";
import { knowsServices } from "../services/service-list.ts";
import { awsBlock, coordinates } from "./block.ts";

const REQUIRED = ["ecrRepository", "ecsService", "cpu", "memory"];

/** A workload that has no, or not all, coordinates on AWS. */
export const MISSING_COORDINATES: Rule = {
  id: "aws/missing-coordinates",
  title: "Workload without its coordinates on AWS",
  severity: "error",
  clause: "config.v1",
  why: "Each service and plugin runs as an ECS service with an image in ECR and a Fargate size of its own.",
  bad: '{ "target": "aws", "aws": { "services": { "core": { "memory": 1024 } } } }',
  good: '{ "target": "aws", "aws": { "services": { "core": { "cpu": 512 } } } }',
  check(deployment, report) {
    const { document, broken, workloads } = deployment;
    if (awsBlock(deployment) === null || broken || document.node(["aws", "services"])?.kind !== "object") return;
    const misspelt = new Set(unknownWorkloads(deployment).map(({ meant }) => meant));
    for (const { name, kind } of workloads) {
      const path = ["aws", "services", name];
      if (document.node(path) !== undefined || misspelt.has(name)) continue;
      report({
        message: `${field(path)} is missing, where the ${kind} \`${name}\` has its coordinates`,
        help: `add it with ${names(REQUIRED)}`,
        place: { path },
      });
    }
    for (const [name] of coordinates(deployment)) reportIncomplete(deployment, ["aws", "services", name], report);
  },
};

function reportIncomplete({ document }: Deployment, path: readonly string[], report: Report): void {
  if (document.node(path)?.kind !== "object") return;
  const missing = REQUIRED.filter((name) => document.node([...path, name]) === undefined);
  if (missing.length > 0)
    report({ message: `${field(path)} has no ${names(missing)}`, help: "add what is missing", place: { path } });
}

/** Coordinates of something that does not run. */
export const UNKNOWN_WORKLOAD: Rule = {
  id: "aws/unknown-workload",
  title: "Coordinates of a workload that there is not",
  severity: "error",
  clause: "config.v1",
  why: "qm refuses coordinates that belong to no enabled service and no plugin: often a name is misspelt, and the real workload has none.",
  bad: '{ "target": "aws", "aws": { "services": { "web": { "ecrRepository": "qm/web", "ecsService": "acme-web", "cpu": 512, "memory": 1024 } } } }',
  good: '{ "target": "aws", "aws": { "services": { "web-ui": { "ecrRepository": "qm/web-ui", "ecsService": "acme-web", "cpu": 512, "memory": 1024 } } } }',
  check(deployment, report) {
    for (const { name, meant } of unknownWorkloads(deployment)) {
      const path = ["aws", "services", name];
      report({
        message: `${field(path)} belongs to no enabled service and no plugin`,
        help: meant === null ? "enable the service, or remove it" : `did you mean \`${meant}\`?`,
        place: { path },
        ...(meant === null
          ? {}
          : {
              fix: {
                safety: "suggested",
                title: `rename it to \`${meant}\``,
                changes: [{ kind: "rename", path, key: meant }],
              },
            }),
      });
    }
  },
};

/** Names under which there are coordinates and no workload, each with the workload that it probably means. */
function unknownWorkloads(deployment: Deployment): { name: string; meant: string | null }[] {
  const block = awsBlock(deployment)?.services;
  if (block === undefined || !knowsServices(deployment)) return [];
  const running = deployment.workloads.map(({ name }) => name);
  const waiting = running.filter((workload) => !Object.hasOwn(block, workload));
  return Object.keys(block)
    .filter((name) => !running.includes(name) && !isHosted(deployment, name, running))
    .map((name) => ({ name, meant: closestName(name, waiting) }));
}

/** Coordinates of a service that moved into another one are left over from an older release, and do no harm. */
function isHosted({ release }: Deployment, name: string, running: readonly string[]): boolean {
  if (!(RUNNABLE_SERVICE_NAMES as readonly string[]).includes(name)) return false;
  return running.includes(release.release.host[name as RunnableServiceName]);
}
