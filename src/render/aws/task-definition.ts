import type { Deployment, Workload } from "../../deployment/deployment.ts";
import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import type { RenderOptions } from "../artifact.ts";
import { workloadSecrets } from "../workload-secrets.ts";

/** The aws coordinates that a task definition cannot do without. */
export interface TaskCoordinates {
  readonly aws: WrittenAws & { readonly accountId: string; readonly region: string; readonly cluster: string };
  readonly service: WrittenAwsService & {
    readonly ecrRepository: string;
    readonly ecsService: string;
    readonly cpu: number;
    readonly memory: number;
  };
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
}

/** What decides over optional secrets. */
type SecretsWanted = Pick<RenderOptions, "withOptional" | "supplied">;

/** Health of a first-party service: a GET on /healthz from inside the container, which has Node but may have no curl. */
const HEALTH_CHECK = {
  command: [
    "CMD",
    "node",
    "-e",
    "fetch('http://127.0.0.1:8080/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))",
  ],
  interval: 10,
  timeout: 5,
  retries: 3,
  startPeriod: 30,
};

/**
 * The input of `aws ecs register-task-definition` for one workload (docs/contract/qm-rendering.md#aws). Task `cpu` and
 * `memory` are strings there. Secrets travel by reference only.
 */
export function taskDefinition(
  deployment: Deployment,
  workload: Workload,
  facts: TaskCoordinates,
  options: SecretsWanted,
): object {
  const { aws, service } = facts;
  return {
    family: service.ecsService,
    networkMode: "awsvpc",
    requiresCompatibilities: ["FARGATE"],
    cpu: String(service.cpu),
    memory: String(service.memory),
    runtimePlatform: {
      cpuArchitecture: service.architecture === "amd64" ? "X86_64" : "ARM64",
      operatingSystemFamily: "LINUX",
    },
    executionRoleArn: service.executionRoleArn ?? roleArn(aws.accountId, `${aws.cluster}-task-execution`),
    taskRoleArn: service.taskRoleArn ?? roleArn(aws.accountId, managedTaskRole(aws.cluster, workload.name, service)),
    containerDefinitions: [
      {
        name: workload.name,
        image: `${aws.accountId}.dkr.ecr.${aws.region}.amazonaws.com/${service.ecrRepository}@${facts.digest}`,
        essential: true,
        environment: workload.environment.map(({ name, value }) => ({ name, value })),
        secrets: referencedSecrets(deployment, workload, options).map(({ env, secret }) => ({
          name: env,
          valueFrom: `arn:aws:secretsmanager:${aws.region}:${aws.accountId}:secret:${aws.secretsPrefix ?? ""}${secret.name}`,
        })),
        portMappings: [
          { name: workload.name, containerPort: 8080, hostPort: 8080, protocol: "tcp", appProtocol: "http" },
        ],
        ...(workload.kind === "service" ? { healthCheck: HEALTH_CHECK } : {}),
        ...(service.stopTimeout === undefined ? {} : { stopTimeout: service.stopTimeout }),
        logConfiguration: {
          logDriver: "awslogs",
          options: {
            "awslogs-group": service.logGroup ?? `/ecs/${service.ecsService}`,
            "awslogs-region": aws.region,
            "awslogs-stream-prefix": workload.name,
          },
        },
      },
    ],
  };
}

/** The secrets that a task definition may name: ECS does not start a task whose secret does not exist, so an optional one needs a sign that it does. */
export function referencedSecrets(
  deployment: Deployment,
  workload: Workload,
  { withOptional, supplied }: SecretsWanted,
) {
  return workloadSecrets(deployment, workload).filter(
    ({ secret }) => secret.required || withOptional || supplied.has(secret.name),
  );
}

/** The role that qm's Terraform module makes for a workload's own calls to aws. */
function managedTaskRole(cluster: string, workload: string, service: WrittenAwsService): string {
  const own = workload === "core" || (service.assumeRoleArns?.length ?? 0) > 0;
  return own ? `${cluster}-${workload}-task` : `${cluster}-task`;
}

function roleArn(account: string, name: string): string {
  return `arn:aws:iam::${account}:role/${name}`;
}
