import { shellWord } from "../../base/shell-word.ts";
import { FLYCAST_SERVICES } from "../../catalog/targets/fly.ts";
import type { Workload } from "../../deployment/deployment.ts";
import { flyDeploymentId, flyOwnerMark } from "../../deployment/derived-names.ts";
import type { RenderContext } from "../artifact.ts";
import { flyTomlName } from "../fly-toml.ts";
import { secretsFileName, workloadsWithSecrets } from "../secrets-files.ts";
import { inStartOrder } from "../workloads.ts";
import { coreImageStep, layerImageStep, layerStep, reachStep, serviceImagesStep } from "./agents.ts";
import { domainStep } from "./fly-domain.ts";
import { flyApp, flyOrg, renderedFile } from "./fly-names.ts";
import { bucketStep, databaseStep } from "./fly-stores.ts";
import { signInStep } from "./sign-in.ts";
import { type BringUp, envFileStep, renderSecretsCommand, type Step } from "./step.ts";

/** From an empty Fly organization to a running deployment with the rendered fly.toml files. */
export function flyBringUp(context: RenderContext): BringUp {
  const workloads = inStartOrder(context.deployment.workloads);
  return {
    target: "Fly",
    lead: "Every command is meant for the deployment directory. Needs flyctl, signed in with `fly auth login`, and qm-deploy; qm's own commands need Node 24. Images that are not public must be pushed to registry.fly.io first, and pinned from there in `imageOverrides`.",
    steps: [
      serviceImagesStep(context),
      coreImageStep(context),
      envFileStep(context),
      appsStep(context, workloads),
      layerImageStep(context),
      ownerStep(context, workloads),
      databaseStep(context),
      bucketStep(context),
      flySecretsStep(context, workloads),
      flyDeployStep(context, workloads),
      domainStep(context),
      layerStep(context),
      signInStep(context),
      reachStep(context),
    ],
  };
}

function appsStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const names = [...workloads.map(({ name }) => flyApp(context, name)), ...sandboxApps(context)];
  return {
    title: "Create the apps",
    text: "A name is unique among all of Fly: where one is taken, choose another `appPrefix`, and render again.",
    commands: createCommands(context, names),
    changes: "empty apps, which cost nothing.",
    check: { commands: [`fly apps list --org ${flyOrg(context)}`], text: "names them" },
    undo: { commands: [`fly apps destroy ${names.join(" ")} --yes`], text: "with all that runs in them" },
  };
}

/** Makes apps, given as words of a command. */
export function createCommands(context: RenderContext, apps: readonly string[]): readonly string[] {
  return apps.map((app) => `fly apps create ${app} --org ${flyOrg(context)}`);
}

/** The app that Sprites live in; backends without `sandbox.app` need none. */
function sandboxApps(context: RenderContext): readonly string[] {
  const { sandbox, release, config } = context.deployment;
  const named = config.sandbox?.app?.trim();
  const isUsed = sandbox.selected.some((backend) => backend.fields(release.release).includes("app"));
  return named && isUsed ? [shellWord(named)] : [];
}

/** Marks the apps of workloads, so that qm's own command line knows them. */
export function ownerStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const id = flyDeploymentId(context.deployment.config)?.value ?? "";
  const secret = flyOwnerMark(context.deployment.config) ?? "";
  return {
    title: "Mark the apps as this deployment's",
    text: `qm knows its apps by the name of a secret that follows from \`${id}\`, and touches no others.`,
    commands: workloads.map(({ name }) => `fly secrets set --stage --app ${flyApp(context, name)} ${secret}=1`),
    changes: "one staged secret of each app.",
    check: { commands: [`fly secrets list --app ${flyApp(context, "core")}`], text: `names ${secret}` },
  };
}

/** Hands secrets to the apps of the workloads; they take effect with the next deploy. */
export function flySecretsStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const withSecrets = workloadsWithSecrets(context);
  const names = inStartOrder(workloads).flatMap(({ name }) => (withSecrets.has(name) ? [name] : []));
  return {
    title: "Write and stage the secrets",
    text: "Each app gets only its own.",
    commands: [
      renderSecretsCommand(context),
      ...names.map(
        (name) =>
          `fly secrets import --stage --app ${flyApp(context, name)} < ${renderedFile(context, secretsFileName("fly", name))}`,
      ),
    ],
    changes:
      "staged secrets, which take effect with the next deploy; `*.secrets.fly` beside the rendered files, ignored by git, which can go now.",
    check: { commands: names.map((name) => `fly secrets list --app ${flyApp(context, name)}`), text: "names them all" },
    undo: { text: "`fly secrets unset --stage` takes one away; import a former `.env` for former values." },
  };
}

/** Deploys the workloads in qm's order, as their fly.toml files say. */
function flyDeployStep(context: RenderContext, workloads: readonly Workload[]): Step {
  const ordered = inStartOrder(workloads);
  const apps = ordered.map(({ name }) => flyApp(context, name));
  return {
    title: "Deploy, in this order",
    commands: ordered.map((workload) => deployCommand(context, workload)),
    changes: "the machines of each app; the portal gets public addresses, the others none.",
    check: { commands: apps.map((app) => `fly status --app ${app}`), text: "machines are started, checks pass" },
    undo: {
      commands: apps.toReversed().map((app) => `fly scale count 0 --app ${app} --yes`),
      text: "stops everything; for a former version deploy its files out of git",
    },
  };
}

/** Runs the rendered file of a workload. */
export function deployCommand(context: RenderContext, { name, kind, image, sourceDirectory }: Workload): string {
  const isBehindFlycast = kind === "service" && (FLYCAST_SERVICES as readonly string[]).includes(name);
  const directory = image === null && sourceDirectory !== null ? `${shellWord(sourceDirectory)} ` : "";
  const flags = isBehindFlycast ? "--ha=false --flycast --no-public-ips" : "--ha=false";
  return `fly deploy ${directory}--config ${renderedFile(context, flyTomlName(name))} --app ${flyApp(context, name)} ${flags}`;
}
