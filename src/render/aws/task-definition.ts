import { own } from "../../base/json.ts";
import { managedTaskRole } from "../../catalog/targets/aws.ts";
import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { findOversizedTasks, MAX_TASK_BYTES, type OversizedTask } from "../../deployment/task-size.ts";
import { jsonText, publicArtifact, type Refusal, type RenderContext, type RenderOutput } from "../artifact.ts";
import {
  placeOf,
  refuse,
  refuseDuplicateNames,
  refuseEntries,
  refuseIncomplete,
  refuseIncompleteAws,
  refuseMissingImage,
  refuseMissingLayerImage,
  refuseUnpinnedImage,
} from "../refusals.ts";
import type { WorkloadSecret } from "../secrets.ts";
import { hasBackgroundWorkControl } from "../../rules/aws/background-work.ts";
import { HEALTH_COMMAND, imageDigest } from "../workloads.ts";

/** What a task definition cannot do without. */
interface TaskCoordinates {
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

const WHY_NOT_BOTH = "ECS refuses a container with the same name in `environment` and `secrets`";

/** One `<workload>.task-definition.json` per workload. JSON has no comments, so the notice is in `manifest.json` alone. */
export function renderTaskDefinitions(context: RenderContext): readonly RenderOutput[] {
  const oversized = new Map(findOversizedTasks(context.deployment).map((task) => [task.workload, task]));
  return context.deployment.workloads.flatMap((workload) =>
    renderOne(context, workload, oversized.get(workload) ?? null),
  );
}

/** The file of a workload's task definition. */
export function taskDefinitionName(workload: string): string {
  return `${workload}.task-definition.json`;
}

function renderOne(
  context: RenderContext,
  workload: Workload,
  oversized: OversizedTask | null,
): readonly RenderOutput[] {
  const { deployment, options } = context;
  const artifact = taskDefinitionName(workload.name);
  const coordinates = coordinatesOf(deployment, workload);
  const refusals = [
    ...missingCoordinates(deployment, workload, artifact, coordinates),
    ...refuseMissingLayerImage(deployment, workload, artifact),
    ...refuseEntries(deployment, workload, artifact),
    ...refuseDuplicateNames(context, workload, artifact, WHY_NOT_BOTH),
    ...missingIdentity(deployment, workload, artifact),
    ...(oversized === null ? [] : [tooLarge(deployment, artifact, oversized)]),
  ];
  if (refusals.length > 0) return refusals;
  // An optional secret needs a sign that it exists: ECS starts no task whose secret does not.
  const isReferenced = ({ secret }: WorkloadSecret) =>
    secret.required || options.withOptional || options.secretsWithValue.has(secret.name);
  const secrets = context.secrets.get(workload.name) ?? [];
  const text = jsonText(taskDefinition(workload, coordinates as TaskCoordinates, secrets.filter(isReferenced)));
  const leftOut = secrets.filter((secret) => !isReferenced(secret)).map(({ env }) => env);
  if (leftOut.length === 0) return [publicArtifact(artifact, text)];
  const message = `optional secrets left out: ${leftOut.join(", ")} (set them in .env, or use --with-optional once they exist)`;
  return [publicArtifact(artifact, text), { artifact, message }];
}

/** The input of `aws ecs register-task-definition` (docs/contract/qm-rendering.md#aws). Task `cpu` and `memory` are strings there. Secrets travel by reference only. */
function taskDefinition(
  workload: Workload,
  { aws, service, digest }: TaskCoordinates,
  secrets: readonly WorkloadSecret[],
): object {
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
    executionRoleArn: service.executionRoleArn ?? `arn:aws:iam::${aws.accountId}:role/${aws.cluster}-task-execution`,
    taskRoleArn: service.taskRoleArn ?? managedTaskRole(aws, workload.name, service.assumeRoleArns),
    containerDefinitions: [
      {
        name: workload.name,
        image: `${aws.accountId}.dkr.ecr.${aws.region}.amazonaws.com/${service.ecrRepository}@${digest}`,
        essential: true,
        environment: workload.environment.map(({ name, value }) => ({ name, value })),
        secrets: secrets.map(({ env, secret }) => ({
          name: env,
          valueFrom: `arn:aws:secretsmanager:${aws.region}:${aws.accountId}:secret:${aws.secretsPrefix ?? ""}${secret.name}`,
        })),
        portMappings: [
          { name: workload.name, containerPort: 8080, hostPort: 8080, protocol: "tcp", appProtocol: "http" },
        ],
        ...(workload.kind === "service"
          ? { healthCheck: { command: HEALTH_COMMAND, interval: 10, timeout: 5, retries: 3, startPeriod: 30 } }
          : {}),
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

function coordinatesOf({ config }: Deployment, workload: Workload) {
  const { aws } = config;
  return { aws, service: own(aws?.services, workload.name), digest: imageDigest(workload) };
}

function missingCoordinates(
  deployment: Deployment,
  workload: Workload,
  artifact: string,
  { aws, service, digest }: ReturnType<typeof coordinatesOf>,
): readonly Refusal[] {
  const refusals: Refusal[] = [];
  if (aws?.accountId === undefined || aws.region === undefined || aws.cluster === undefined)
    refusals.push(refuseIncompleteAws(deployment, artifact));
  if ([service?.ecrRepository, service?.ecsService, service?.cpu, service?.memory].includes(undefined)) {
    const name = `aws.services.${workload.name}`;
    const message = `\`${name}\` lacks \`ecrRepository\`, \`ecsService\`, \`cpu\` or \`memory\``;
    refusals.push(refuseIncomplete(deployment, artifact, ["aws", "services", workload.name], message));
  }
  if (digest === null) {
    const refuseImage = workload.image === null ? refuseMissingImage : refuseUnpinnedImage;
    refusals.push(refuseImage(deployment, workload, artifact));
  }
  return refusals;
}

/** Under background work control each deployment of core has an id of its own, which qm's `up` makes and no config may name. */
function missingIdentity(deployment: Deployment, workload: Workload, artifact: string): readonly Refusal[] {
  if (workload.name !== "core" || !hasBackgroundWorkControl(deployment)) return [];
  return [
    refuse(deployment, {
      artifact,
      rule: "render/deployment-identity",
      path: ["aws", "backgroundWorkControl"],
      message: "core needs an id that qm's own `up` gives to each deployment, as `aws.backgroundWorkControl` is true",
      help: "deploy core with qm's own `up`, from the projection in `qm/`, or set `aws.backgroundWorkControl` to false",
    }),
  ];
}

function tooLarge(deployment: Deployment, artifact: string, { workload, bytes, largest }: OversizedTask): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/too-large",
    path: largest === undefined ? workload.path : placeOf(largest, workload),
    message: `the task definition of \`${workload.name}\` has about ${bytes} bytes; Amazon ECS takes ${MAX_TASK_BYTES}`,
    help: "move long values to secrets or to a file that the workload reads",
  });
}
