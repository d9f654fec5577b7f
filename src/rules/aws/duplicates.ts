import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { awsBlock, coordinates } from "./block.ts";

/** Two workloads in one place. */
export const DUPLICATE_COORDINATES: Rule = {
  id: "aws/duplicate-coordinates",
  title: "Two workloads with the same coordinates",
  severity: "error",
  clause: "config.v1",
  why: "Deploying one workload would replace the other: they would share an image repository, an ECS service or a target group.",
  bad: '{ "target": "aws", "aws": { "services": { "web-ui": { "ecsService": "acme-core" } } } }',
  good: '{ "target": "aws", "aws": { "services": { "web-ui": { "ecsService": "acme-web-ui" } } } }',
  check(deployment, report) {
    for (const name of ["ecrRepository", "ecsService", "targetGroup"] as const) {
      const first = new Map<string, string>();
      for (const [workload, service] of coordinates(deployment)) {
        const value = service[name];
        if (value === undefined) continue;
        const other = first.get(value);
        if (other === undefined) {
          first.set(value, workload);
          continue;
        }
        const path = ["aws", "services", workload, name];
        report({
          message: `${field(path)} is the same as ${field(["aws", "services", other, name])}`,
          help: "give each workload its own",
          place: { path, at: "value" },
        });
      }
    }
  },
};

/** The role that a workload's task runs with; null where it rests on something that is not known. */
function taskRole(aws: WrittenAws, workload: string, service: WrittenAwsService): string | null {
  if (service.taskRoleArn !== undefined) return service.taskRoleArn;
  if (aws.cluster === undefined || aws.accountId === undefined) return null;
  const own =
    workload === "core" || service.assumeRoleArns !== undefined
      ? `${aws.cluster}-${workload}-task`
      : `${aws.cluster}-task`;
  return `arn:aws:iam::${aws.accountId}:role/${own}`;
}

/** Rights of one workload that others would have too. */
export const SHARED_TASK_ROLE: Rule = {
  id: "aws/shared-task-role",
  title: "Task role with further rights, shared by workloads",
  severity: "error",
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
      });
    }
  },
};
