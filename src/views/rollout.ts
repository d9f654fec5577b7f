import type { Deployment } from "../deployment/deployment.ts";
import { awsSecretsStep } from "../render/bring-up/aws-roll.ts";
import { deployCommands } from "../render/bring-up/deploy.ts";
import { flySecretsStep } from "../render/bring-up/fly.ts";
import { renderSecretsCommand } from "../render/bring-up/step.ts";
import { firstContext } from "./artifacts.ts";

/**
 * The commands that hand another value of a secret to what reads it, in order, for the deployment directory; empty where nothing
 * reads it, or there is no target. What ran before keeps the former value until then.
 */
export function rolloutCommands(deployment: Deployment, name: string): readonly string[] {
  const context = firstContext(deployment);
  const secret = deployment.secrets.find((one) => one.name === name);
  if (context === null || secret?.managedBy !== "operator") return [];
  const places = new Set(secret.destinations.map(({ workload }) => workload));
  const readers = deployment.workloads.filter((workload) => places.has(workload.name));
  if (readers.length === 0) return [];
  const storing = {
    docker: () => [renderSecretsCommand(context)],
    fly: () => flySecretsStep(context, readers).commands ?? [],
    aws: () => awsSecretsStep(context).commands ?? [],
  }[context.target]();
  return [...storing, ...deployCommands(context, readers, { isNew: () => false, migrates: false })];
}
