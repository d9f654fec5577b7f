import type { JsonObject } from "../../base/json.ts";
import { taskDefinitionName } from "../../render/aws/task-definition.ts";
import { awsService } from "../../render/bring-up/aws-names.ts";
import { optionalText } from "../answer.ts";
import { type Ask, type Answer, jsonOf, refusal } from "../ask.ts";
import { artifactText, type Platform, type RenderedDeployment } from "../platform.ts";
import {
  type AwsAnswers,
  awsAnswers,
  isClusterMissing,
  serviceNames,
  servicesIn,
  taskDefinitionIn,
} from "./answers.ts";
import { renderedTask, type RenderedTask, runningTasks } from "./live.ts";

/** Services of ECS, through the aws command line (docs/contract/live.md#aws). */
export const awsPlatform: Platform<AwsAnswers> = {
  ask: askAws,
  read: awsAnswers,
  compare(deployment, answers) {
    const rendered = renderedTasks(deployment);
    return { rendered, running: runningTasks(answers, rendered) };
  },
};

function renderedTasks(deployment: RenderedDeployment): readonly RenderedTask[] {
  const { context } = deployment;
  return context.deployment.workloads.flatMap((workload) => {
    const json = artifactText(deployment, taskDefinitionName(workload.name));
    const count = awsService(context, workload)?.desiredCount ?? null;
    return json === null ? [] : [renderedTask(workload.name, json, count)];
  });
}

/** `describe-services` takes no more names at once. */
const AT_ONCE = 10;

async function askAws(deployment: RenderedDeployment, ask: Ask): Promise<AwsAnswers> {
  const { region = "", cluster = "" } = deployment.context.deployment.config.aws ?? {};
  const ecs = (...args: readonly string[]): Promise<Answer> =>
    ask(["aws"], ["ecs", ...args, "--region", region, "--output", "json"]);
  const listed = await ecs("list-services", "--cluster", cluster);
  if (isClusterMissing(listed)) return { names: [], services: [], taskDefinitions: new Map() };
  if (listed.status !== 0) throw refusal(listed);
  const names = serviceNames(jsonOf(listed));
  const services: JsonObject[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    services.push(...servicesIn(jsonOf(await ecs("describe-services", "--cluster", cluster, "--services", ...some))));
  }
  const wanted = new Set(renderedTasks(deployment).map(({ service }) => service));
  const arns = services
    .filter((service) => wanted.has(optionalText(service["serviceName"])))
    .map((service) => optionalText(service["taskDefinition"]));
  const definitions = await Promise.all(
    [...new Set(arns)].map(async (arn) => {
      const described = await ecs("describe-task-definition", "--task-definition", arn);
      return [arn, taskDefinitionIn(jsonOf(described))] as const;
    }),
  );
  return { names, services, taskDefinitions: new Map(definitions) };
}
