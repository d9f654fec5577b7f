import { shellWord } from "../../base/shell-word.ts";
import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import type { Workload } from "../../deployment/deployment.ts";
import type { RenderContext } from "../artifact.ts";
import { taskDefinitionName } from "../aws/task-definition.ts";
import { TFVARS } from "../aws/tfvars.ts";
import { coreSetting, imageDigest, inStartOrder } from "../workloads.ts";
import { coreImageStep, layerImageStep, layerStep, qm, reachStep } from "./agents.ts";
import { type BringUp, envFileStep, renderSecretsCommand, type Step } from "./step.ts";

/** Where the operator's copy of qm's Terraform module lies, below the deployment directory. */
const MODULE = "infra";

/** From an empty AWS account to a running deployment with the rendered files. */
export function awsBringUp(context: RenderContext): BringUp {
  const workloads = inStartOrder(context.deployment.workloads);
  return {
    target: "aws",
    lead: `Every command is meant for the deployment directory. Needs terraform, the aws command line with credentials for the account, docker with buildx, and qm-deploy. \`${MODULE}/\` is the copy of qm's Terraform module that \`qm init\` makes.`,
    steps: [
      coreImageStep(context),
      envFileStep(context),
      terraformStep(context),
      secretsStep(context),
      microVmStep(context),
      layerImageStep(context),
      imagesStep(context, workloads),
      { title: "Register the task definitions", commands: workloads.map(({ name }) => registerCommand(context, name)) },
      startSteps(context, workloads),
      layerStep(context),
      reachStep(context),
    ],
  };
}

function aws({ deployment }: RenderContext): WrittenAws {
  return deployment.config.aws ?? {};
}

function service(context: RenderContext, workload: Workload): WrittenAwsService | undefined {
  const { services = {} } = aws(context);
  return Object.hasOwn(services, workload.name) ? services[workload.name] : undefined;
}

function region(context: RenderContext): string {
  return `--region ${shellWord(aws(context).region ?? "")}`;
}

function terraformStep({ options }: RenderContext): Step {
  // Terraform reads the path from the module, since -chdir comes first.
  const file = shellWord(`../${options.place}/${TFVARS}`);
  return {
    title: "Make the infrastructure",
    text: `\`${TFVARS}\` holds values that only you know (\`github_repository\`, \`certificate_arn\`): set them there, rendering keeps them. The services are made with no tasks.`,
    commands: [`terraform -chdir=${MODULE} init`, `terraform -chdir=${MODULE} apply -var-file=${file}`],
  };
}

function secretsStep(context: RenderContext): Step {
  const files = `${shellWord(`${context.options.place}/secrets`)}/*.secrets.json`;
  return {
    title: "Put the secrets into Secrets Manager",
    text: "Terraform made them, without values. The files are ignored by git, and can go afterwards.",
    commands: [
      renderSecretsCommand(context),
      `for file in ${files}; do aws secretsmanager put-secret-value ${region(context)} --cli-input-json "file://$file" --query Name --output text || break; done`,
    ],
  };
}

function microVmStep(context: RenderContext): Step | [] {
  if (coreSetting(context.deployment, "core.awsDeployImage") === undefined) return [];
  return {
    title: "Build the MicroVM image",
    text: "Deployed apps boot it, and Lambda sandboxes where they are the backend. It is recorded in the config: render again afterwards.",
    commands: [qm(context, "infra build-image")],
  };
}

function imagesStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const { accountId = "", region: name = "", imageLabel = "qm-deploy" } = aws(context);
  const registry = `${accountId}.dkr.ecr.${name}.amazonaws.com`;
  const title = "Copy the images into ECR";
  const copies = workloads.flatMap((workload) => copyCommand(context, workload, registry, imageLabel));
  if (copies.length === 0) return { title, text: "They are there already." };
  const login = `aws ecr get-login-password ${region(context)} | docker login --username AWS --password-stdin ${shellWord(registry)}`;
  return {
    title,
    text: "A copy keeps the digest, which the task definitions name.",
    commands: [login, ...copies],
  };
}

function copyCommand(context: RenderContext, workload: Workload, registry: string, label: string): readonly string[] {
  const repository = service(context, workload)?.ecrRepository;
  const image = workload.image?.reference;
  if (repository === undefined || image === undefined || imageDigest(workload) === null) return [];
  if (image.startsWith(`${registry}/${repository}@`)) return [];
  const copy = shellWord(`${registry}/${repository}:${label}`);
  return [`docker buildx imagetools create --prefer-index=false --tag ${copy} ${shellWord(image)}`];
}

function registerCommand(context: RenderContext, workload: string): string {
  const file = shellWord(`file://${context.options.place}/${taskDefinitionName(workload)}`);
  return `aws ecs register-task-definition ${region(context)} --cli-input-json ${file} --query taskDefinition.taskDefinitionArn --output text`;
}

/** Core first, and the others once it is stable. */
function startSteps(context: RenderContext, workloads: readonly Workload[]): readonly Step[] {
  const commandsFor = (isWanted: (name: string) => boolean): readonly string[] =>
    startCommands(
      context,
      workloads.filter(({ name }) => isWanted(name)),
    );
  const steps = [
    {
      title: "Start core",
      text: "The newest registered revision of the family runs.",
      commands: commandsFor((name) => name === "core"),
    },
    { title: "Start the others", commands: commandsFor((name) => name !== "core") },
  ];
  return steps.filter(({ commands }) => commands.length > 0);
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
