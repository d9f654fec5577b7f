import { shellWord } from "../../base/shell-word.ts";
import { FLYCAST_SERVICES } from "../../catalog/targets/fly.ts";
import type { Workload } from "../../deployment/deployment.ts";
import { flyDeploymentId } from "../../deployment/derived-names.ts";
import type { RenderContext } from "../artifact.ts";
import { databaseUrlName } from "../database.ts";
import { flyAppName, flyTomlName } from "../fly-toml.ts";
import { textHash } from "../manifest.ts";
import { secretsFileName, workloadsWithSecrets } from "../secrets-files.ts";
import { coreSetting, inStartOrder } from "../workloads.ts";
import { coreImageStep, layerImageStep, layerStep, reachStep } from "./agents.ts";
import { type BringUp, envFileStep, renderSecretsCommand, type Step } from "./step.ts";

/** What `fly storage create` sets first of all. */
const ACCESS_KEY = "AWS_ACCESS_KEY_ID";

/** From an empty Fly organization to a running deployment with the rendered fly.toml files. */
export function flyBringUp(context: RenderContext): BringUp {
  const workloads = inStartOrder(context.deployment.workloads);
  return {
    target: "Fly",
    lead: "Every command is meant for the deployment directory. Needs flyctl, signed in with `fly auth login`, and qm-deploy. Images that are not public must be pushed to registry.fly.io first, and pinned from there in `imageOverrides`.",
    steps: [
      coreImageStep(context),
      envFileStep(context),
      {
        title: "Create the apps",
        commands: [
          ...workloads.map(({ name }) => `fly apps create ${app(context, name)} --org ${org(context)}`),
          ...createSandboxApp(context),
        ],
      },
      layerImageStep(context),
      ownerStep(context, workloads),
      databaseStep(context),
      bucketStep(context),
      secretsStep(context, workloads),
      { title: "Deploy, in this order", commands: workloads.map((workload) => deployCommand(context, workload)) },
      { title: "See that it runs", commands: workloads.map(({ name }) => `fly status --app ${app(context, name)}`) },
      layerStep(context),
      reachStep(context),
    ],
  };
}

function app({ deployment }: RenderContext, workload: string): string {
  return shellWord(flyAppName(deployment, workload));
}

function org({ deployment }: RenderContext): string {
  return shellWord(deployment.config.flyOrg?.trim() ?? "");
}

/** The app that Sprites live in; backends without `sandbox.app` need none. */
function createSandboxApp(context: RenderContext): readonly string[] {
  const { sandbox, release, config } = context.deployment;
  const named = config.sandbox?.app?.trim();
  const isUsed = sandbox.selected.some((backend) => backend.fields(release.release).includes("app"));
  return named && isUsed ? [`fly apps create ${shellWord(named)} --org ${org(context)}`] : [];
}

function ownerStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const id = flyDeploymentId(context.deployment.config)?.value ?? "";
  const secret = `QM_OWNER_${textHash(id).slice(0, 16).toUpperCase()}`;
  return {
    title: "Mark the apps as this deployment's",
    text: `qm knows its apps by the name of a secret that follows from \`${id}\`, and touches no others.`,
    commands: workloads.map(({ name }) => `fly secrets set --stage --app ${app(context, name)} ${secret}=1`),
  };
}

/** Of a database that Fly makes; nothing where the deployer brings its address. */
function databaseStep(context: RenderContext): Step | [] {
  if (!isLeftToFly(context, databaseUrlName(context.deployment))) return [];
  const region = shellWord(context.deployment.config.region ?? "");
  const url = databaseUrlName(context.deployment);
  return {
    title: "Give core a database",
    text: `Not needed where \`.env\` holds ${url}, which then comes with the other secrets. \`fly mpg status\` shows the connection string. Core wants the direct host: write \`direct.\` where it says \`pgbouncer.\`, and paste it at the second prompt, where it is not shown.`,
    commands: [
      `fly mpg create --org ${org(context)} --region ${region} --name ${app(context, "pg")} --plan basic`,
      `printf 'cluster id: ' && read -r CLUSTER && fly mpg status "$CLUSTER" --json`,
      `(trap 'exit 1' 2; trap 'stty echo' 0; stty -echo; printf '${url}: '; read -r ${url} && printf '${url}=%s\\n' "$${url}" | fly secrets import --stage --app ${app(context, "core")})`,
    ],
  };
}

function bucketStep(context: RenderContext): Step | [] {
  const bucket = coreSetting(context.deployment, "core.s3Bucket")?.value.trim();
  if (!bucket || !isLeftToFly(context, ACCESS_KEY)) return [];
  return {
    title: "Give core its bucket",
    text: "Sets AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL_S3 of core.",
    commands: [
      `fly storage create --name ${shellWord(bucket)} --app ${app(context, "core")} --org ${org(context)} --yes`,
    ],
  };
}

/** True where core gets a value from what Fly attaches, and `secretEnv` names no secret of the deployer's for it. */
function isLeftToFly({ deployment }: RenderContext, name: string): boolean {
  return deployment.secrets.some(
    (secret) =>
      secret.managedBy === "fly" &&
      secret.destinations.some(({ workload, env }) => workload === "core" && env === name),
  );
}

function secretsStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const withSecrets = workloadsWithSecrets(context);
  const importCommand = (name: string): string =>
    `fly secrets import --stage --app ${app(context, name)} < ${rendered(context, secretsFileName("fly", name))}`;
  return {
    title: "Write and stage the secrets",
    text: "Each app gets only its own; they take effect with the first deploy. The files are ignored by git, and can go once they are imported.",
    commands: [
      renderSecretsCommand(context),
      ...workloads.filter(({ name }) => withSecrets.has(name)).map(({ name }) => importCommand(name)),
    ],
  };
}

function rendered({ options }: RenderContext, file: string): string {
  return shellWord(`${options.place}/${file}`);
}

function deployCommand(context: RenderContext, { name, kind, image, sourceDirectory }: Workload): string {
  const isBehindFlycast = kind === "service" && (FLYCAST_SERVICES as readonly string[]).includes(name);
  const directory = image === null && sourceDirectory !== null ? `${shellWord(sourceDirectory)} ` : "";
  const flags = isBehindFlycast ? "--ha=false --flycast --no-public-ips" : "--ha=false";
  return `fly deploy ${directory}--config ${rendered(context, flyTomlName(name))} --app ${app(context, name)} ${flags}`;
}
