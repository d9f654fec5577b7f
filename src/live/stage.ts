import type { Deployment } from "../deployment/deployment.ts";
import type { Stage } from "../deployment/stage.ts";
import type { Ask } from "./ask.ts";
import { awsStage } from "./aws/stage.ts";
import { dockerStage } from "./docker/stage.ts";
import { flyStage } from "./fly/stage.ts";

const STAGES = { docker: dockerStage, fly: flyStage, aws: awsStage };

/** Asks the target whether anything of a deployment runs; "unknown" where it gives no answer. */
export async function askStage(deployment: Deployment, ask: Ask): Promise<Stage> {
  if (deployment.target === null) return "unknown";
  try {
    return await STAGES[deployment.target](deployment, ask);
  } catch {
    // Why the program gives none is told by whoever looks at programs.
    return "unknown";
  }
}
