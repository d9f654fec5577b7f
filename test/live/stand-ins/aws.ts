/** A task definition of ours, as `register-task-definition` takes it. */
export interface TaskInput {
  family: string;
  containerDefinitions: { [field: string]: unknown }[];
  [field: string]: unknown;
}

/** How many tasks services are to run, by their names. */
export type Counts = { [service: string]: number };

const HOME = "arn:aws:ecs:us-west-2:210987654321";

/** The ARN under which ECS keeps what was registered. */
function arnOf({ family }: TaskInput): string {
  return `${HOME}:task-definition/${family}:7`;
}

/** What ECS says of a task definition: what was registered, and what it fills in (docs/contract/live.md#aws). */
function describedTask(input: TaskInput) {
  return {
    taskDefinition: {
      ...input,
      taskDefinitionArn: arnOf(input),
      containerDefinitions: input.containerDefinitions.map((container) => ({
        cpu: 0,
        mountPoints: [],
        volumesFrom: [],
        systemControls: [],
        ...container,
      })),
      revision: 7,
      volumes: [],
      status: "ACTIVE",
      requiresAttributes: [{ name: "ecs.capability.secrets.asm.environment-variables" }],
      placementConstraints: [],
      compatibilities: ["EC2", "FARGATE"],
      registeredAt: "2026-11-29T08:00:00+00:00",
      registeredBy: "arn:aws:iam::210987654321:user/operator",
    },
    tags: [],
  };
}

/** What ECS says of the service of a task definition, with as many running tasks as are wanted. */
function describedService(name: string, taskDefinition: string, count: number) {
  return {
    serviceArn: `${HOME}:service/acme-qm/${name}`,
    serviceName: name,
    clusterArn: `${HOME}:cluster/acme-qm`,
    status: "ACTIVE",
    desiredCount: count,
    runningCount: count,
    pendingCount: 0,
    launchType: "FARGATE",
    taskDefinition,
    deployments: [
      {
        id: "ecs-svc/1",
        status: "PRIMARY",
        taskDefinition,
        desiredCount: count,
        runningCount: count,
        rolloutState: "COMPLETED",
      },
    ],
    events: [],
  };
}

/** What the aws command line says of a deployment. Services have the names of the families where no others are given, and one task where `counts` has none. */
export function awsOf(
  tasks: readonly TaskInput[],
  counts: Counts = {},
  names: readonly string[] = tasks.map(({ family }) => family),
) {
  return {
    version: 1,
    target: "aws",
    listServices: { serviceArns: names.map((name) => `${HOME}:service/acme-qm/${name}`) },
    describeServices: {
      services: tasks.map((task, at) => describedService(names[at] ?? "", arnOf(task), counts[names[at] ?? ""] ?? 1)),
      failures: [],
    },
    describeTaskDefinition: tasks.map(describedTask),
  };
}
