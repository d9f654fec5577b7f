import { shellWord, singleQuoted } from "../../base/shell-word.ts";
import type { Workload } from "../../deployment/deployment.ts";
import type { RenderContext } from "../artifact.ts";
import { taskDefinitionName } from "../aws/task-definition.ts";
import { inStartOrder } from "../workloads.ts";
import { awsService, cluster, region } from "./aws-names.ts";
import { renderSecretsCommand, type Step } from "./step.ts";

/** Values into the secrets that Terraform made; running tasks keep the old ones until they are replaced. */
export function awsSecretsStep(context: RenderContext): Step {
  const files = `${shellWord(`${context.options.place}/secrets`)}/*.secrets.json`;
  return {
    title: "Put the secrets into Secrets Manager",
    text: "Terraform made them, without values.",
    commands: [
      renderSecretsCommand(context),
      `for file in ${files}; do aws secretsmanager put-secret-value ${region(context)} --cli-input-json "file://$file" --query Name --output text || break; done`,
    ],
    changes:
      "a new version of each secret, which tasks read as they start; `secrets/` beside the rendered files, ignored by git, which can go now.",
    check: { text: "every name is printed, and no error." },
    undo: { text: "Secrets Manager keeps the former value as AWSPREVIOUS; put a former `.env` in the same way." },
  };
}

/** New revisions of the task definitions; nothing runs on them yet. */
export function awsRegisterStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const families = inStartOrder(workloads).flatMap((workload) => awsService(context, workload)?.ecsService ?? []);
  return {
    title: "Register the task definitions",
    commands: inStartOrder(workloads).map(({ name }) => registerCommand(context, name)),
    changes: "a new revision of each family; nothing runs on it yet.",
    check: {
      commands: families.map(
        (family) =>
          `aws ecs describe-task-definition ${region(context)} --task-definition ${shellWord(family)} --query 'taskDefinition.containerDefinitions[0].image' --output text`,
      ),
      text: "print the images that the files name",
    },
    undo: { text: "start the services on the former revision, `<family>:<number>`; revisions cost nothing." },
  };
}

/** Makes the rendered task definition of a workload the newest of its family. */
export function registerCommand(context: RenderContext, workload: string): string {
  const file = shellWord(`file://${context.options.place}/${taskDefinitionName(workload)}`);
  return `aws ecs register-task-definition ${region(context)} --cli-input-json ${file} --query taskDefinition.taskDefinitionArn --output text`;
}

/** The database's tables, by core's newest task definition in core's own network. */
export function awsMigrationStep(context: RenderContext): Step | [] {
  const { release, resolved } = context.deployment.release;
  const core = context.deployment.workloads.find(({ name }) => name === "core");
  const family = core === undefined ? undefined : awsService(context, core)?.ecsService;
  if (release.migration === null || family === undefined) return [];
  const place = `${region(context)} ${cluster(context)}`;
  const name = shellWord(family);
  const overrides = JSON.stringify({ containerOverrides: [{ name: "core", command: release.migration }] });
  const exitCode = `aws ecs describe-tasks ${place} --tasks "$TASK" --query 'tasks[0].containers[0].exitCode' --output text`;
  return {
    title: "Bring the database's tables up to date",
    text: `A task of core's image runs qm ${resolved}'s migrations once, before the new core starts. An own image that is built from an older source has none: leave this out then, and core makes its tables as it starts.`,
    commands: [
      `NETWORK="$(aws ecs describe-services ${place} --services ${name} --query 'services[0].networkConfiguration' --output json)"`,
      `TASK="$(aws ecs run-task ${place} --task-definition ${name} --launch-type FARGATE --network-configuration "$NETWORK" --overrides ${singleQuoted(overrides)} --started-by qm-deploy --query 'tasks[0].taskArn' --output text)"`,
      `aws ecs wait tasks-stopped ${place} --tasks "$TASK"`,
    ],
    changes: "tables of the database.",
    check: { commands: [exitCode], text: "says 0" },
    undo: {
      text: "tables do not go back by themselves: RDS restores the time before into a new database (`aws rds restore-db-instance-to-point-in-time`).",
    },
  };
}

/** Core first, and the others once it is stable. */
export function awsStartSteps(context: RenderContext, workloads: readonly Workload[]): readonly Step[] {
  const ordered = inStartOrder(workloads);
  const core = ordered.filter(({ name }) => name === "core");
  const others = ordered.filter(({ name }) => name !== "core");
  return [startStep(context, "Start core", core), startStep(context, "Start the others", others)].flat();
}

function startStep(context: RenderContext, title: string, workloads: readonly Workload[]): Step | [] {
  const services = workloads.flatMap((workload) => serviceWords(context, workload) ?? []);
  const [first] = services;
  if (first === undefined) return [];
  const place = `${region(context)} ${first.cluster}`;
  const names = services.map(({ name }) => name).join(" ");
  return {
    title,
    text: "The newest revision runs. Traffic moves to the new tasks some minutes after they are healthy; the wait ends after ten minutes at most: repeat it where it fails.",
    commands: startCommands(context, workloads, () => true),
    changes: "tasks of these services, on Fargate; a deployment that fails is rolled back by ECS.",
    check: {
      commands: [
        `aws ecs describe-services ${place} --services ${names} --query 'services[].[serviceName,runningCount,desiredCount]' --output text`,
      ],
      text: "as many run as are wanted",
    },
    undo: {
      commands: services.map(({ name }) => updateCommand(context, name, "--desired-count 0")),
      text: "stops them; `--task-definition <family>:<number>` starts a former revision",
    },
  };
}

/** The service of a workload, as words of a command; null without its coordinates. */
export function serviceWords(context: RenderContext, workload: Workload): { cluster: string; name: string } | null {
  const name = awsService(context, workload)?.ecsService;
  return name === undefined ? null : { cluster: cluster(context), name: shellWord(name) };
}

/** Runs the newest task definitions of workloads. `isFirst`: services are made with no tasks; how many run later is the operator's where the config does not say. */
export function startCommands(
  context: RenderContext,
  workloads: readonly Workload[],
  isFirst: (workload: Workload) => boolean,
): readonly string[] {
  const services = workloads.flatMap((workload) => {
    const words = serviceWords(context, workload);
    const count = awsService(context, workload)?.desiredCount ?? (isFirst(workload) ? 1 : null);
    return words === null ? [] : { ...words, count: count === null ? "" : ` --desired-count ${count}` };
  });
  const [first] = services;
  if (first === undefined) return [];
  return [
    ...services.map(({ name, count }) => updateCommand(context, name, `--task-definition ${name}${count}`)),
    `aws ecs wait services-stable ${region(context)} ${first.cluster} --services ${services.map(({ name }) => name).join(" ")}`,
  ];
}

/** Changes a service, given as a word of a command. */
export function updateCommand(context: RenderContext, service: string, what: string): string {
  return `aws ecs update-service ${region(context)} ${cluster(context)} --service ${service} ${what} --query service.serviceName --output text`;
}
