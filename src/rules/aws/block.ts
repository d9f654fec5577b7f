import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";

/** `aws` of a deployment on aws; null on other targets, which do not read it, and where there is none. */
export function awsBlock({ target, config }: Deployment): WrittenAws | null {
  return target === "aws" ? (config.aws ?? null) : null;
}

/** The coordinates of each workload as they are written, also of workloads that do not exist. */
export function coordinates(deployment: Deployment): [workload: string, service: WrittenAwsService][] {
  return Object.entries(awsBlock(deployment)?.services ?? {});
}
