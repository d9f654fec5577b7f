import type { WrittenAws } from "../../config/written-config.ts";
import type { Workload } from "../../deployment/deployment.ts";
import { taskDefinitionName } from "../aws/task-definitions.ts";
import { TFVARS } from "../aws/tfvars.ts";
import type { RenderContext } from "../context.ts";
import { imageDigest } from "../image-digest.ts";
import { shellWord } from "../../base/shell-word.ts";
import { inStartOrder } from "../start-order.ts";
import { agentSteps, coreImageSteps, qm } from "./agents.ts";
import { page, type Step } from "./page.ts";
import { envFileStep, renderSecretsCommand } from "./secrets.ts";

/** Where the operator's copy of qm's Terraform module lies, below the deployment directory. */
const MODULE = "infra";

/** From an empty AWS account to a running deployment with the rendered files. */
export function awsBringUp(context: RenderContext): string {
  const { deployment } = context;
  const workloads = inStartOrder(deployment.workloads);
  return page(
    `Bringing ${deployment.config.orgId ?? "the deployment"} up on aws`,
    `Every command is meant for the deployment directory. Needs terraform, the aws command line with credentials for the account, docker with buildx, and qm-deploy. \`${MODULE}/\` is the copy of qm's Terraform module that \`qm init\` makes.`,
    [
      ...coreImageSteps(context),
      envFileStep(context),
      terraformStep(context),
      secretsStep(context),
      ...microVmStep(context),
      imagesStep(context, workloads),
      registerStep(context, workloads),
      ...updateSteps(context, workloads),
      ...agentSteps(context),
    ],
  );
}

function aws({ deployment }: RenderContext): WrittenAws {
  return deployment.config.aws ?? {};
}

function region(context: RenderContext): string {
  return `--region ${shellWord(aws(context).region ?? "")}`;
}

function terraformStep({ options }: RenderContext): Step {
  // Terraform reads the path from the module, since -chdir comes first.
  const file = shellWord(`../${options.place}/${TFVARS}`);
  return {
    title: "Make the infrastructure",
    says: `\`${TFVARS}\` holds values that only you know (\`github_repository\`, \`certificate_arn\`): set them there, rendering keeps them. The services are made with no tasks.`,
    commands: [`terraform -chdir=${MODULE} init`, `terraform -chdir=${MODULE} apply -var-file=${file}`],
  };
}

function secretsStep(context: RenderContext): Step {
  const files = `${shellWord(`${context.options.place}/secrets`)}/*.secrets.json`;
  return {
    title: "Put the secrets into Secrets Manager",
    says: "Terraform made them, without values. The files are ignored by git, and can go afterwards.",
    commands: [
      renderSecretsCommand(context),
      `for file in ${files}; do aws secretsmanager put-secret-value ${region(context)} --cli-input-json "file://$file" --query Name --output text || break; done`,
    ],
  };
}

function microVmStep(context: RenderContext): readonly Step[] {
  const core = context.deployment.workloads.find((workload) => workload.name === "core");
  if (!core?.environment.some((entry) => entry.name === "AWS_DEPLOY_IMAGE")) return [];
  return [
    {
      title: "Build the MicroVM image",
      says: "Deployed apps boot it, and Lambda sandboxes where they are the backend. It is recorded in the config: render again afterwards.",
      commands: [qm(context, "infra build-image")],
    },
  ];
}

function imagesStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const { accountId = "", region: name = "", imageLabel = "qm-deploy" } = aws(context);
  const registry = `${accountId}.dkr.ecr.${name}.amazonaws.com`;
  const copies = workloads.flatMap((workload) => copyCommand(context, workload, registry, imageLabel));
  return {
    title: "Copy the images into ECR",
    says: copies.length === 0 ? "They are there already." : "A copy keeps the digest, which the task definitions name.",
    commands:
      copies.length === 0
        ? []
        : [
            `aws ecr get-login-password ${region(context)} | docker login --username AWS --password-stdin ${shellWord(registry)}`,
            ...copies,
          ],
  };
}

function copyCommand(context: RenderContext, workload: Workload, registry: string, label: string): readonly string[] {
  const repository = service(context, workload)?.ecrRepository;
  const image = workload.image?.reference;
  if (
    repository === undefined ||
    image === undefined ||
    imageDigest(workload) === null ||
    image.startsWith(`${registry}/${repository}@`)
  )
    return [];
  return [
    `docker buildx imagetools create --prefer-index=false --tag ${shellWord(`${registry}/${repository}:${label}`)} ${shellWord(image)}`,
  ];
}

function service(context: RenderContext, workload: Workload) {
  const { services = {} } = aws(context);
  return Object.hasOwn(services, workload.name) ? services[workload.name] : undefined;
}

function registerStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const file = (workload: Workload) =>
    shellWord(`file://${context.options.place}/${taskDefinitionName(workload.name)}`);
  return {
    title: "Register the task definitions",
    says: "",
    commands: workloads.map(
      (workload) =>
        `aws ecs register-task-definition ${region(context)} --cli-input-json ${file(workload)} --query taskDefinition.taskDefinitionArn --output text`,
    ),
  };
}

/** Core first, and the others once it is stable. */
function updateSteps(context: RenderContext, workloads: readonly Workload[]): readonly Step[] {
  const core = workloads.filter((workload) => workload.name === "core");
  const others = workloads.filter((workload) => workload.name !== "core");
  const steps = [
    {
      title: "Start core",
      says: "The newest registered revision of the family runs.",
      commands: startCommands(context, core),
    },
    { title: "Start the others", says: "", commands: startCommands(context, others) },
  ];
  return steps.filter((step) => step.commands.length > 0);
}

function startCommands(context: RenderContext, workloads: readonly Workload[]): readonly string[] {
  const cluster = `--cluster ${shellWord(aws(context).cluster ?? "")}`;
  const names = workloads.flatMap((workload) => service(context, workload)?.ecsService ?? []).map(shellWord);
  if (names.length === 0) return [];
  return [
    ...names.map(
      (name) =>
        `aws ecs update-service ${region(context)} ${cluster} --service ${name} --task-definition ${name} --desired-count 1 --query service.serviceName --output text`,
    ),
    `aws ecs wait services-stable ${region(context)} ${cluster} --services ${names.join(" ")}`,
  ];
}
