import type { JsonObject, JsonValue } from "../../base/json.ts";
import { AnswerError, object, optionalNumber, optionalText } from "../answer.ts";
import {
  knownNames,
  type LiveDeployment,
  type RenderedWorkload,
  type RunningWorkload,
  sortEnvironment,
} from "../workload.ts";
import type { AwsAnswers } from "./answers.ts";
import { readTask } from "./task.ts";

/** The task of a rendered task definition. */
export interface RenderedTask extends RenderedWorkload {
  /** Also the name of the family. */
  readonly service: string;
}

/** What a rendered task definition of a workload says, and how many tasks its service is to run, where the config says it. Which secrets it names was decided when it was rendered. */
export function renderedTask(workload: string, json: string, desiredCount: number | null): RenderedTask {
  const definition = object(JSON.parse(json) as JsonValue, `${workload}.task-definition.json`);
  const { environment, ...task } = readTask(definition, workload);
  return {
    ...task,
    settings: new Map([...task.settings, ["desiredCount", desiredCount === null ? null : `${desiredCount}`]]),
    name: workload,
    service: optionalText(definition["family"]),
    environment: new Map(environment),
    optionalSecrets: new Set(),
  };
}

/**
 * What ECS runs of a deployment: the task definition that each service is set to. `leftOver`: services that the deployment declares and no
 * workload runs in; any other service of the cluster that runs tasks is told too, as the cluster is the deployment's own.
 *
 * @throws {AnswerError} where an answer is not that of aws
 */
export function runningTasks(answers: AwsAnswers, rendered: readonly RenderedTask[]): LiveDeployment {
  const services = new Map(answers.services.filter(isActive).map((one) => [optionalText(one["serviceName"]), one]));
  const wanted = new Set(rendered.map(({ service }) => service));
  const strangers = answers.names.filter((name) => !wanted.has(name) && runsTasks(services.get(name)));
  return {
    workloads: rendered.flatMap((workload) => {
      const service = services.get(workload.service);
      return service === undefined ? [] : runningTask(service, workload, answers);
    }),
    strangers: strangers.map((name) => ({ name, unit: `service ${name}` })),
    // A service without tasks is told as one that does not run.
    empty: new Set(),
  };
}

function isActive({ status }: JsonObject): boolean {
  return status === "ACTIVE" || status === undefined;
}

function runsTasks(service: JsonObject | undefined): boolean {
  return service !== undefined && optionalNumber(service["desiredCount"]) !== 0;
}

function runningTask(
  service: JsonObject,
  workload: RenderedTask,
  { taskDefinitions }: AwsAnswers,
): readonly RunningWorkload[] {
  const arn = optionalText(service["taskDefinition"]);
  const definition = taskDefinitions.get(arn);
  if (definition === undefined) throw new AnswerError(`the description of task definition ${arn} is missing`);
  const { environment, ...task } = readTask(definition, workload.name);
  const sorted = sortEnvironment(environment, knownNames(workload));
  return [
    {
      ...task,
      name: workload.name,
      unit: `service ${workload.service}`,
      idle: idleness(service, workload.settings.get("desiredCount") ?? null),
      environment: sorted.environment,
      // A secret in `environment` is one for everybody who may describe the task definition.
      otherNames: new Set([...sorted.otherNames, ...sorted.secretNames]),
      staged: new Set(),
      settings: new Map([...task.settings, ["desiredCount", `${optionalNumber(service["desiredCount"])}`]]),
    },
  ];
}

/** How many tasks are wanted is compared where the config says it; else none at all is too few. */
function idleness({ desiredCount, runningCount }: JsonObject, declared: string | null): string | null {
  if (optionalNumber(desiredCount) === 0) return declared === null ? "set to no tasks" : null;
  return optionalNumber(runningCount) === 0 ? "without a running task" : null;
}
