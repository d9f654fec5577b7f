import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";
import { flyAppName, flyTomlName } from "../../render/fly-toml.ts";
import { list } from "../answer.ts";
import { type Ask, jsonOf, refusal } from "../ask.ts";
import { artifactText, type Platform, type RenderedDeployment } from "../platform.ts";
import { appNames, FLY, type FlyAnswers, flyAnswers, type FlyApp } from "./answers.ts";
import { renderedApp, type RenderedApp } from "./rendered.ts";
import { runningMachines } from "./running.ts";

/** Apps of Fly, through flyctl (docs/contract/live.md#fly). */
export const flyPlatform: Platform<FlyAnswers> = {
  ask: askFly,
  read: flyAnswers,
  compare(deployment, answers) {
    const rendered = renderedApps(deployment);
    const { workloads } = deployment.context.deployment;
    // Apps of other names may be anybody's, or those that agents deploy.
    const others = RUNNABLE_SERVICE_NAMES.filter((name) => workloads.every((workload) => workload.name !== name)).map(
      (name) => flyAppName(deployment.context.deployment, name),
    );
    return { rendered, running: runningMachines(answers, rendered, others) };
  },
};

function renderedApps(deployment: RenderedDeployment): readonly RenderedApp[] {
  const { context } = deployment;
  return context.deployment.workloads.flatMap(({ name }) => {
    const toml = artifactText(deployment, flyTomlName(name));
    return toml === null ? [] : [renderedApp(context, name, toml)];
  });
}

async function askFly(deployment: RenderedDeployment, ask: Ask): Promise<FlyAnswers> {
  const org = deployment.context.deployment.config.flyOrg?.trim() ?? "";
  const apps = appNames(jsonOf(await ask(FLY, ["apps", "list", "--json", "--org", org])));
  const there = renderedApps(deployment).filter(({ app }) => apps.includes(app));
  const details = await Promise.all(there.map(async ({ app }) => [app, await askApp(app, ask)] as const));
  return { apps, details: new Map(details) };
}

async function askApp(app: string, ask: Ask): Promise<FlyApp> {
  const [machines, secrets, config] = await Promise.all([
    ask(FLY, ["machine", "list", "--app", app, "--json"]),
    ask(FLY, ["secrets", "list", "--app", app, "--json"]),
    ask(FLY, ["config", "show", "--app", app]),
  ]);
  const all = list(jsonOf(machines), "the list of machines");
  // An app that was never deployed has no configuration to show.
  if (config.status !== 0 && all.length > 0) throw refusal(config);
  return {
    machines: all,
    secrets: list(jsonOf(secrets), "the list of secrets"),
    config: config.status === 0 ? jsonOf(config) : null,
  };
}
