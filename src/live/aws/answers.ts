import type { JsonObject, JsonValue } from "../../base/json.ts";
import { list, object, text } from "../answer.ts";
import type { Answer } from "../ask.ts";

/** What the aws command line said of a deployment (docs/contract/live.md#aws). */
export interface AwsAnswers {
  /** Names of all services of the cluster. */
  readonly names: readonly string[];
  /** `services` of `aws ecs describe-services`; those that there are not are missing. */
  readonly services: readonly JsonObject[];
  /** `taskDefinition` of `aws ecs describe-task-definition`, by ARN. */
  readonly taskDefinitions: ReadonlyMap<string, JsonObject>;
}

/**
 * Reads saved answers of aws: what `list-services` and `describe-services` printed, and a list of what `describe-task-definition` printed.
 *
 * @throws {AnswerError} where they are none
 */
export function awsAnswers(value: JsonValue): AwsAnswers {
  const { listServices, describeServices, describeTaskDefinition } = object(value, "the file");
  return {
    names: serviceNames(listServices ?? null),
    services: servicesIn(describeServices ?? null),
    taskDefinitions: new Map(
      list(describeTaskDefinition, "`describeTaskDefinition`").map((one) => {
        const definition = taskDefinitionIn(one);
        return [text(definition["taskDefinitionArn"], "`taskDefinitionArn`"), definition];
      }),
    ),
  };
}

/** The names in what `list-services` printed, which has ARNs. */
export function serviceNames(answer: JsonValue): readonly string[] {
  return list(object(answer, "the list of services")["serviceArns"], "`serviceArns`").map((arn) =>
    text(arn, "an ARN").replace(/^.*\//, ""),
  );
}

/** The services in what `describe-services` printed. */
export function servicesIn(answer: JsonValue): readonly JsonObject[] {
  return list(object(answer, "the description of services")["services"], "`services`").map((one) =>
    object(one, "a service"),
  );
}

/** The definition in what `describe-task-definition` printed. */
export function taskDefinitionIn(answer: JsonValue): JsonObject {
  return object(object(answer, "the description of a task definition")["taskDefinition"], "`taskDefinition`");
}

/** Before the first `terraform apply` there is no cluster, and so nothing runs. */
export function isClusterMissing({ status, stderr }: Answer): boolean {
  return status !== 0 && stderr.includes("ClusterNotFoundException");
}
