import type { Deployment } from "../../deployment/deployment.ts";
import type { Stage } from "../../deployment/stage.ts";
import { optionalNumber } from "../answer.ts";
import { type Ask, jsonOf, refusal } from "../ask.ts";
import { isClusterMissing, servicesIn } from "./answers.ts";

/** Core's service with tasks; Terraform makes it without any. */
export async function awsStage({ config }: Deployment, ask: Ask): Promise<Stage> {
  const { region = "", cluster = "", services } = config.aws ?? {};
  const core = services?.["core"]?.ecsService ?? "";
  const words = ["ecs", "describe-services", "--cluster", cluster, "--services", core];
  const answer = await ask(["aws"], [...words, "--region", region, "--output", "json"]);
  if (isClusterMissing(answer)) return "before";
  if (answer.status !== 0) throw refusal(answer);
  const runs = servicesIn(jsonOf(answer)).some(({ desiredCount }) => (optionalNumber(desiredCount) ?? 0) > 0);
  return runs ? "after" : "before";
}
