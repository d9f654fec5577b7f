import type { Deployment, Workload } from "../../deployment/deployment.ts";
import type { Artifact, Refusal, RenderNote } from "../artifact.ts";
import { jsonText, publicArtifact } from "../artifact-text.ts";
import { joinPieces, piece, type Piece, type RenderContext } from "../context.ts";
import { imageDigest } from "../image-digest.ts";
import { refuseDuplicateNames } from "../refuse-duplicate-name.ts";
import { refuseUnpinnedImage, refuseMissingImage } from "../refuse-image.ts";
import { refuse } from "../refusal.ts";
import { workloadSecrets } from "../workload-secrets.ts";
import { referencedSecrets, taskDefinition, type TaskCoordinates } from "./task-definition.ts";

/** Amazon ECS: "Task definition size" quota, in bytes. */
const MAX_BYTES = 65_536;

/** One `<workload>.task-definition.json` per workload. JSON has no comments, so the notice is in `manifest.json` alone. */
export function renderTaskDefinitions(context: RenderContext): Piece {
  return joinPieces(context.deployment.workloads.map((workload) => renderOne(context, workload)));
}

/** The file of a workload's task definition. */
export function taskDefinitionName(workload: string): string {
  return `${workload}.task-definition.json`;
}

function renderOne({ deployment, options }: RenderContext, workload: Workload): Piece {
  const artifact = taskDefinitionName(workload.name);
  const facts = taskFacts(deployment, workload, artifact);
  const twice = refuseDuplicateNames(
    deployment,
    workload,
    artifact,
    "ECS refuses a container with the same name in `environment` and `secrets`",
  );
  if ("refusals" in facts || twice.length > 0) {
    return piece({ refusals: [...("refusals" in facts ? facts.refusals : []), ...twice] });
  }
  const text = jsonText(taskDefinition(deployment, workload, facts, options));
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_BYTES) return piece({ refusals: [tooLarge(deployment, workload, artifact, bytes)] });
  const artifacts: Artifact[] = [publicArtifact(artifact, text)];
  return piece({ artifacts, notes: leftOut(deployment, workload, artifact, options) });
}

function taskFacts(
  deployment: Deployment,
  workload: Workload,
  artifact: string,
): TaskCoordinates | { readonly refusals: readonly Refusal[] } {
  const aws = deployment.config.aws;
  const service =
    aws?.services !== undefined && Object.hasOwn(aws.services, workload.name) ? aws.services[workload.name] : undefined;
  const digest = imageDigest(workload);
  const refusals: Refusal[] = [];
  if (aws?.accountId === undefined || aws.region === undefined || aws.cluster === undefined) {
    refusals.push(incomplete(deployment, artifact, ["aws"], "`aws` has no sound `accountId`, `region` and `cluster`"));
  }
  if (
    service?.ecrRepository === undefined ||
    service.ecsService === undefined ||
    service.cpu === undefined ||
    service.memory === undefined
  ) {
    refusals.push(
      incomplete(
        deployment,
        artifact,
        ["aws", "services", workload.name],
        `\`aws.services.${workload.name}\` lacks \`ecrRepository\`, \`ecsService\`, \`cpu\` or \`memory\``,
      ),
    );
  }
  if (digest === null)
    refusals.push(
      workload.image === null
        ? refuseMissingImage(deployment, workload, artifact)
        : refuseUnpinnedImage(deployment, workload, artifact),
    );
  return refusals.length > 0 ? { refusals } : ({ aws, service, digest } as TaskCoordinates);
}

function incomplete(deployment: Deployment, artifact: string, path: readonly string[], message: string): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/incomplete",
    path,
    message,
    help: "mend the findings of `qm-deploy check` first",
  });
}

function tooLarge(deployment: Deployment, workload: Workload, artifact: string, bytes: number): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/too-large",
    path: ["env", workload.name],
    message: `the task definition of \`${workload.name}\` has ${bytes} bytes; Amazon ECS takes ${MAX_BYTES}`,
    help: "move long values to secrets or to a file that the workload reads",
  });
}

function leftOut(
  deployment: Deployment,
  workload: Workload,
  artifact: string,
  options: RenderContext["options"],
): readonly RenderNote[] {
  const kept = new Set(referencedSecrets(deployment, workload, options).map((one) => one.env));
  const names = workloadSecrets(deployment, workload)
    .filter((one) => !kept.has(one.env))
    .map((one) => one.env);
  if (names.length === 0) return [];
  return [
    {
      artifact,
      message: `optional secrets left out: ${names.join(", ")} (set them in .env, or use --with-optional once they exist)`,
    },
  ];
}
