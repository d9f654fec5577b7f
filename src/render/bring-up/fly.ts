import { FLYCAST_SERVICES } from "../../catalog/targets/fly.ts";
import type { Workload } from "../../deployment/deployment.ts";
import { flyDeploymentId } from "../../deployment/derived-names.ts";
import type { RenderContext } from "../context.ts";
import { flyAppName } from "../fly/app.ts";
import { flyTomlName } from "../fly/fly-toml.ts";
import { textHash } from "../manifest.ts";
import { flySecretsName } from "../secrets/fly.ts";
import { shellWord } from "../../base/shell-word.ts";
import { inStartOrder } from "../start-order.ts";
import { workloadSecrets } from "../workload-secrets.ts";
import { agentSteps, coreImageSteps } from "./agents.ts";
import { page, type Step } from "./page.ts";
import { envFileStep, renderSecretsCommand } from "./secrets.ts";

/** From an empty Fly organization to a running deployment with the rendered fly.toml files. */
export function flyBringUp(context: RenderContext): string {
  const { deployment, options } = context;
  const workloads = inStartOrder(deployment.workloads);
  return page(
    `Bringing ${deployment.config.orgId ?? "the deployment"} up on Fly`,
    "Every command is meant for the deployment directory. Needs flyctl, signed in with `fly auth login`, and qm-deploy. Images that are not public must be pushed to registry.fly.io first, and pinned from there in `imageOverrides`.",
    [
      ...coreImageSteps(context),
      envFileStep(context),
      {
        title: "Create the apps",
        says: "",
        commands: [
          ...workloads.map((workload) => `fly apps create ${app(context, workload)} --org ${org(context)}`),
          ...sandboxApp(context),
        ],
      },
      ownerStep(context, workloads),
      databaseStep(context),
      ...bucketStep(context),
      {
        title: "Write and stage the secrets",
        says: "Each app gets only its own; they take effect with the first deploy. The files are ignored by git, and can go once they are imported.",
        commands: [
          renderSecretsCommand(context),
          ...workloads
            .filter((workload) => workloadSecrets(deployment, workload).length > 0)
            .map(
              (workload) =>
                `fly secrets import --stage --app ${app(context, workload)} < ${shellWord(`${options.place}/${flySecretsName(workload.name)}`)}`,
            ),
        ],
      },
      {
        title: "Deploy, in this order",
        says: "",
        commands: workloads.map((workload) => deployCommand(context, workload)),
      },
      {
        title: "See that it runs",
        says: "",
        commands: workloads.map((workload) => `fly status --app ${app(context, workload)}`),
      },
      ...agentSteps(context),
    ],
  );
}

function app({ deployment }: RenderContext, workload: Workload): string {
  return shellWord(flyAppName(deployment, workload.name));
}

function org({ deployment }: RenderContext): string {
  return shellWord(deployment.config.flyOrg?.trim() ?? "");
}

/** The app that Sprites live in; backends without `sandbox.app` need none. */
function sandboxApp(context: RenderContext): readonly string[] {
  const { sandbox, release, config } = context.deployment;
  const named = config.sandbox?.app?.trim();
  const isUsed = sandbox.selected.some((backend) => backend.fields(release.release).includes("app"));
  return named && isUsed ? [`fly apps create ${shellWord(named)} --org ${org(context)}`] : [];
}

function ownerStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const id = flyDeploymentId(context.deployment.config)?.value ?? "";
  const name = `QM_OWNER_${textHash(id).slice(0, 16).toUpperCase()}`;
  return {
    title: "Mark the apps as this deployment's",
    says: `qm knows its apps by the name of a secret that follows from \`${id}\`, and touches no others.`,
    commands: workloads.map((workload) => `fly secrets set --stage --app ${app(context, workload)} ${name}=1`),
  };
}

function databaseStep(context: RenderContext): Step {
  const core = shellWord(flyAppName(context.deployment, "core"));
  const region = shellWord(context.deployment.config.region ?? "");
  return {
    title: "Give core a database",
    says: "`fly mpg status` shows the connection string. Core wants the direct host: write `direct.` where it says `pgbouncer.`, and paste it at the second prompt, where it is not shown.",
    commands: [
      `fly mpg create --org ${org(context)} --region ${region} --name ${shellWord(flyAppName(context.deployment, "pg"))} --plan basic`,
      `read -rp 'cluster id: ' CLUSTER && fly mpg status "$CLUSTER" --json`,
      `read -rsp 'DATABASE_URL: ' DATABASE_URL && printf 'DATABASE_URL=%s\\n' "$DATABASE_URL" | fly secrets import --stage --app ${core}; unset DATABASE_URL`,
    ],
  };
}

function bucketStep(context: RenderContext): readonly Step[] {
  const core = context.deployment.workloads.find((workload) => workload.name === "core");
  const bucket = core?.environment.find((entry) => entry.name === "S3_BUCKET")?.value.trim();
  if (!bucket) return [];
  return [
    {
      title: "Give core its bucket",
      says: "Sets AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL_S3 of core.",
      commands: [
        `fly storage create --name ${shellWord(bucket)} --app ${shellWord(flyAppName(context.deployment, "core"))} --org ${org(context)} --yes`,
      ],
    },
  ];
}

function deployCommand(context: RenderContext, workload: Workload): string {
  const { options } = context;
  const isBehindFlycast =
    workload.kind === "service" && (FLYCAST_SERVICES as readonly string[]).includes(workload.name);
  const directory =
    workload.image === null && workload.sourceDirectory !== null ? `${shellWord(workload.sourceDirectory)} ` : "";
  const flags = isBehindFlycast ? "--ha=false --flycast --no-public-ips" : "--ha=false";
  return `fly deploy ${directory}--config ${shellWord(`${options.place}/${flyTomlName(workload.name)}`)} --app ${app(context, workload)} ${flags}`;
}
