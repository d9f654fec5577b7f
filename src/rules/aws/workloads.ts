import { closestName } from "../../base/closest-name.ts";
import {
  RUNNABLE_SERVICE_NAMES,
  type RunnableServiceName,
  type WrittenAws,
  type WrittenAwsService,
  SERVICE_NAMES,
} from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field, names, own, phrase, renaming, repeats, type Report, type Rule, beside } from "../rule.ts";
import { knowsServices } from "../services/service-list.ts";
import { provenancePaths } from "../../deployment/provenance.ts";
import { findOversizedTasks, MAX_TASK_BYTES } from "../../deployment/task-size.ts";
import { awsBlock, coordinates } from "./account.ts";
import { FARGATE_MEMORY, managedTaskRole } from "../../catalog/targets/aws.ts";

const REQUIRED = ["ecrRepository", "ecsService", "cpu", "memory"];

/** Segments and length that the load balancer's rules take. */
const PATH = /^\/[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*\/\*$/;

const LONGEST = 128;

/** The coordinates of each workload. */
export const AWS_WORKLOAD_RULES: readonly Rule[] = [
  {
    id: "aws/missing-coordinates",
    title: "Workload without its coordinates on AWS",
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
  },
  {
    id: "aws/task-size",
    title: "Environment above the limit of ECS",
    why: "Amazon ECS refuses a task definition above 64 KiB, and the environment of the workload with the references to its secrets is most of it.",
    bad: '{ "target": "aws", "env": { "web-ui": { "ACME_BLOB": "… 70,000 characters …" } } }',
    good: '{ "target": "aws", "env": { "web-ui": { "ACME_BLOB_URL": "https://files.acme.dev/blob" } } }',
    check(deployment, report) {
      if (awsBlock(deployment) === null) return;
      for (const { workload, bytes, largest } of findOversizedTasks(deployment)) {
        report({
          message: `the task definition of \`${workload.name}\` has about ${bytes} bytes; Amazon ECS takes ${MAX_TASK_BYTES}`,
          help: "move long values to secrets or to a file that the workload reads",
          place: { path: (largest && provenancePaths(largest.provenance)[0]) ?? workload.path },
        });
      }
    },
  },
  {
    id: "aws/unknown-workload",
    title: "Coordinates of a workload that does not exist",
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
          fix: renaming(path, meant),
        });
      }
    },
  },
  {
    id: "aws/duplicate-coordinates",
    title: "Two workloads with the same coordinates",
    clause: "config.v1",
    why: "Deploying one workload would replace the other: they would share an image repository, an ECS service or a target group.",
    bad: '{ "target": "aws", "aws": { "services": { "web-ui": { "ecsService": "acme-core" } } } }',
    good: '{ "target": "aws", "aws": { "services": { "web-ui": { "ecsService": "acme-web-ui" } } } }',
    check(deployment, report) {
      for (const name of ["ecrRepository", "ecsService", "targetGroup"] as const) {
        for (const [[workload], [other]] of repeats(coordinates(deployment), ([, service]) => service[name])) {
          const path = ["aws", "services", workload, name];
          report({
            message: `${field(path)} is the same as ${field(["aws", "services", other, name])}`,
            help: "give each workload its own",
            place: { path, at: "value" },
            related: [beside(["aws", "services", other, name], "the other one")],
          });
        }
      }
    },
  },
  {
    id: "aws/shared-task-role",
    title: "Task role with further rights, shared by workloads",
    clause: "config.v1",
    why: "`assumeRoleArns` lets one workload take on further roles. When another one runs with the same task role, it could do so too.",
    bad: '{ "target": "aws", "aws": { "services": { "core": { "taskRoleArn": "arn:aws:iam::210987654321:role/acme-shared", "assumeRoleArns": ["arn:aws:iam::210987654321:role/acme-data"] }, "web-ui": { "taskRoleArn": "arn:aws:iam::210987654321:role/acme-shared" } } } }',
    good: '{ "target": "aws", "aws": { "services": { "core": { "assumeRoleArns": ["arn:aws:iam::210987654321:role/acme-data"] } } } }',
    check(deployment, report) {
      const aws = awsBlock(deployment);
      if (aws === null) return;
      const roles = coordinates(deployment).map(([workload, service]) => ({
        workload,
        service,
        role: taskRole(aws, workload, service),
      }));
      for (const { workload, service, role } of roles) {
        if (service.assumeRoleArns === undefined || role === null) continue;
        const other = roles.find((each) => each.role === role && each.workload !== workload);
        if (other === undefined) continue;
        report({
          message: `\`${other.workload}\` runs with the same task role as \`${workload}\`, which may assume further roles`,
          help: `give \`${workload}\` a \`taskRoleArn\` of its own`,
          place: {
            path: ["aws", "services", workload, service.taskRoleArn === undefined ? "assumeRoleArns" : "taskRoleArn"],
          },
          related: [beside(["aws", "services", other.workload, "taskRoleArn"], "the same role")],
        });
      }
    },
  },
  {
    id: "aws/fargate-size",
    title: "CPU and memory that Fargate does not combine",
    clause: "config.v1",
    why: "Fargate has a few sizes only: each number of CPU units goes with certain amounts of memory. ECS refuses a task of another size.",
    bad: '{ "target": "aws", "aws": { "services": { "core": { "cpu": 256, "memory": 4096 } } } }',
    good: '{ "target": "aws", "aws": { "services": { "core": { "cpu": 1024, "memory": 4096 } } } }',
    check(deployment, report) {
      for (const [workload, { cpu, memory }] of coordinates(deployment)) {
        if (cpu === undefined || memory === undefined) continue;
        const offered = FARGATE_MEMORY.get(cpu);
        if (offered?.includes(memory) === true) continue;
        const path = ["aws", "services", workload, offered === undefined ? "cpu" : "memory"];
        const otherPath = ["aws", "services", workload, offered === undefined ? "memory" : "cpu"];
        report({
          message: `\`${workload}\` asks for ${cpu} CPU units and ${memory} MiB, which is no size of Fargate`,
          help:
            offered === undefined
              ? `\`cpu\` can be ${phrase([...FARGATE_MEMORY.keys()].map(String), "or")}`
              : `with ${cpu} CPU units \`memory\` can be ${described(offered)}`,
          place: { path, at: "value" },
          related: [beside(otherPath, "asked for with it")],
        });
      }
    },
  },
  {
    id: "aws/architecture",
    title: "Prebuilt image without its architecture",
    clause: "config.v1",
    why: "Fargate starts a task on arm64 or on amd64. What qm builds itself is arm64; of an image from elsewhere it must be said, or the task may not start.",
    bad: `{ "target": "aws", "services": ["core", "web-ui", "portal", "auth"], "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }], "aws": { "services": { "acme-bot": { "ecrRepository": "qm/bot", "ecsService": "acme-bot", "cpu": 512, "memory": 1024 } } } }`,
    good: `{ "target": "aws", "services": ["core", "web-ui", "portal", "auth"], "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }], "aws": { "services": { "acme-bot": { "ecrRepository": "qm/bot", "ecsService": "acme-bot", "cpu": 512, "memory": 1024, "architecture": "amd64" } } } }`,
    check(deployment, report) {
      const aws = awsBlock(deployment);
      if (aws === null || deployment.broken) return;
      for (const { name, image } of deployment.workloads) {
        const path = ["aws", "services", name];
        const isPrebuilt = image?.provenance.kind === "config";
        if (
          !isPrebuilt ||
          own(aws.services, name) === undefined ||
          deployment.document.node([...path, "architecture"]) !== undefined
        )
          continue;
        report({
          message: `\`aws.services.${name}.architecture\` is missing, and \`${name}\` runs a prebuilt image`,
          help: "set it to `arm64` or `amd64`; `docker buildx imagetools inspect` shows which",
          command: "docker buildx imagetools inspect",
          place: { path },
        });
      }
    },
  },
  {
    id: "aws/public-paths",
    title: "Public path that is not the plugin's own",
    clause: "config.v1",
    why: "A plugin may answer paths under its own name without sign-in. Services have their paths already, and one plugin must not take those of another.",
    bad: '{ "target": "aws", "aws": { "services": { "web-ui": { "publicPaths": ["/web-ui/*"] } } } }',
    good: '{ "target": "aws", "aws": { "services": { "web-ui": { "desiredCount": 2 } } } }',
    check(deployment, report) {
      for (const [workload, { publicPaths }] of coordinates(deployment)) {
        if (publicPaths === undefined) continue;
        const path = ["aws", "services", workload, "publicPaths"];
        if ((SERVICE_NAMES as readonly string[]).includes(workload)) {
          report({
            message: `${field(path)} is for plugins only`,
            help: "remove it: the portal publishes the services",
            place: { path },
          });
          continue;
        }
        for (const [at, each] of publicPaths.entries()) {
          if (each.startsWith(`/${workload}/`) && PATH.test(each) && each.length <= LONGEST) continue;
          report({
            message: `${field([...path, at])} must be \`/${workload}/\`, letters, digits and \`_-\` between slashes, and \`*\` at the end`,
            help: `write it as \`/${workload}/*\``,
            place: { path: [...path, at], at: "value" },
          });
        }
      }
    },
  },
];

function reportIncomplete({ document }: Deployment, path: readonly string[], report: Report): void {
  if (document.node(path)?.kind !== "object") return;
  const missing = REQUIRED.filter((name) => document.node([...path, name]) === undefined);
  if (missing.length > 0)
    report({ message: `${field(path)} has no ${names(missing)}`, help: "add what is missing", place: { path } });
}

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

/** The role that a workload's task runs with; null where it rests on something that is not known. */
function taskRole(aws: WrittenAws, workload: string, service: WrittenAwsService): string | null {
  if (service.taskRoleArn !== undefined) return service.taskRoleArn;
  const { accountId, cluster } = aws;
  if (cluster === undefined || accountId === undefined) return null;
  return managedTaskRole({ accountId, cluster }, workload, service.assumeRoleArns);
}

/** Short lists as they are; of long ones the ends and the step. */
function described(amounts: readonly number[]): string {
  if (amounts.length < 5) return phrase(amounts.map(String), "or");
  const [first = 0, second = 0] = amounts;
  return `from ${first} to ${amounts.at(-1)} in steps of ${second - first}`;
}
