import { shellWord } from "../../base/shell-word.ts";
import type { Workload } from "../../deployment/deployment.ts";
import type { RenderContext } from "../artifact.ts";
import { imageDigest, inStartOrder } from "../workloads.ts";
import { aws, awsService, region, registry } from "./aws-names.ts";
import type { Step } from "./step.ts";

/** Where an image comes from and goes to. */
interface Copy {
  readonly from: string;
  readonly repository: string;
  readonly digest: string;
}

/** Brings the images of the workloads into the registry that the task definitions name. */
export function awsImagesStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const here = registry(context);
  const all = inStartOrder(workloads).flatMap((workload) => copyOf(context, workload));
  const foreign = all.filter(({ from, repository }) => !from.startsWith(`${here}/${repository}@`));
  const own = all.filter((copy) => !foreign.includes(copy)).map(({ from }) => `\`${from}\``);
  const label = aws(context).imageLabel ?? "qm-deploy";
  const login = `aws ecr get-login-password ${region(context)} | docker login --username AWS --password-stdin ${shellWord(here)}`;
  const pushed =
    own.length === 0
      ? ""
      : ` The config pins ${own.join(" and ")} in this registry already: push ${own.length === 1 ? "it" : "them"} there now.`;
  return {
    title: "Copy the images into ECR",
    text: `A copy keeps the digest, which the task definitions name.${pushed}`,
    commands: [
      login,
      ...foreign.map(({ from, repository }) => {
        const tag = shellWord(`${here}/${repository}:${label}`);
        return `docker buildx imagetools create --prefer-index=false --tag ${tag} ${shellWord(from)}`;
      }),
    ],
    changes: `images in the registries that Terraform made, tagged \`${label}\`.`,
    check: {
      commands: all.map(
        ({ repository, digest }) =>
          `aws ecr describe-images ${region(context)} --repository-name ${shellWord(repository)} --image-ids imageDigest=${digest} --query 'imageDetails[].imageDigest' --output text`,
      ),
      text: "print the digests",
    },
    undo: { text: "an image that no task definition names does no harm; `aws ecr batch-delete-image` deletes one." },
  };
}

function copyOf(context: RenderContext, workload: Workload): Copy | [] {
  const repository = awsService(context, workload)?.ecrRepository;
  const digest = imageDigest(workload);
  if (repository === undefined || workload.image === null || digest === null) return [];
  return { from: workload.image.reference, repository, digest };
}
