import type { Backend } from "../../catalog/backends/backend.ts";
import { inStockCore } from "../../catalog/backends/index.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { coreValue, settingValue } from "../../deployment/env-values.ts";
import type { Changes } from "./changes.ts";
import type { DataAtRisk } from "./data-at-risk.ts";

/** One thing to do. `done`: the new config has it already; null where the config cannot tell. */
export interface Step {
  readonly title: string;
  readonly detail: string | null;
  readonly done: boolean | null;
}

function step(title: string, detail: string | null = null, done: boolean | null = null): Step {
  return { title, detail, done };
}

/** What an operator does to get from one deployment to the other, in order. */
export function stepsFor(
  before: Deployment,
  after: Deployment,
  changes: Changes,
  data: readonly DataAtRisk[],
): readonly Step[] {
  const to = after.sandbox.effective?.backend ?? null;
  const hasSwitched = to !== null && before.sandbox.effective?.name !== to.name;
  return [
    ...secretSteps(changes, after),
    ...(hasSwitched ? backendSteps(before, after, to) : []),
    ...data.map(({ what, message }) => step(SAVING[what], message)),
    ...deploySteps(changes, after),
    ...(hasSwitched ? [step("start one agent, and let it run a command and call core")] : []),
    ...retireSteps(changes),
    ...(hasSwitched ? deleteSteps(before) : []),
  ];
}

const SAVING: { readonly [what in DataAtRisk["what"]]: string } = {
  "agent-computers": "have agents save what must be kept: push repositories, hand files over",
  database: "back up the database",
  files: "copy the files to the new place",
};

function secretSteps({ secrets }: Changes, after: Deployment): Step[] {
  const needed = secrets.add.filter(({ required, managedBy }) => required && managedBy === "operator");
  const steps = needed.map(({ name, making }) => {
    const isMadeHere = after.secrets.find((secret) => secret.name === name)?.source.kind !== "operator";
    return isMadeHere
      ? step(`make \`${name}\`: \`qm-deploy secrets set ${name} --generate\``)
      : step(`get \`${name}\` and put it into \`.env\`: \`qm-deploy secrets set ${name}\``, making);
  });
  if (steps.length === 0 || after.target === "docker") return steps;
  const what = steps.length === 1 ? "it" : "them";
  const title = `put ${what} into the store of ${after.target ?? "the target"}`;
  return [...steps, step(title, "`qm-deploy render --secrets` writes what the store takes")];
}

/** What a switch to another primary backend asks of the config and its surroundings, before core is deployed. */
function backendSteps(before: Deployment, after: Deployment, to: Backend): readonly Step[] {
  const { config, sandbox } = after;
  const { release } = after.release;
  const isDeclared = sandbox.declared?.name === to.name || to.proposedOn.length > 0;
  const field = isDeclared ? "sandbox.backend" : `env.core.${nameOf(release, "core.sandboxBackend")}`;
  const steps = [
    step(`set \`${field}\` to \`${to.name}\``, null, sandbox.effective?.name === to.name),
    ...fieldSteps(before, after, to),
    ...to.settings
      .filter(({ required }) => required === true)
      .map(({ name, description, example }) =>
        step(`set \`env.core.${name}\`: ${description}`, `such as \`${example}\``, coreValue(config, name) !== null),
      ),
  ];
  if (!inStockCore(to, release)) steps.push(imageStep(before, after, to));
  if (to.remote) steps.push(addressStep(after, to));
  if (to.egressSetting !== null) {
    const title = `decide on egress: without \`env.core.${to.egressSetting}\` agents reach every address on the internet`;
    steps.push(step(title, null, coreValue(config, to.egressSetting) === null ? null : true));
  }
  return steps;
}

function fieldSteps(before: Deployment, after: Deployment, to: Backend): Step[] {
  const { backend: _, ...written } = before.config.sandbox ?? {};
  const read = to.fields(after.release.release);
  const fields = (Object.keys(written) as (keyof typeof written)[]).filter((field) => !read.includes(field));
  return fields.map((field) => {
    const isGone = after.config.sandbox === undefined || !Object.hasOwn(after.config.sandbox, field);
    return step(`remove \`sandbox.${field}\`, which ${to.title} does not read`, to.insteadOfField(field), isGone);
  });
}

/** An image that was there before the switch may or may not implement the new backend: only a new one counts as done. */
function imageStep(before: Deployment, after: Deployment, to: Backend): Step {
  const image = after.config.imageOverrides?.core ?? "";
  return step(
    `get an image of core that implements ${to.title}, and pin it by digest in \`imageOverrides.core\``,
    `the core of qm ${after.release.release.version} does not know the backend \`${to.name}\``,
    image === "" ? false : image === before.config.imageOverrides?.core ? null : true,
  );
}

/** Agents that run elsewhere must reach core from there. */
function addressStep({ config, release }: Deployment, to: Backend): Step {
  const known = settingValue(config, release.release, "core.publicApiUrl");
  const name = nameOf(release.release, "core.publicApiUrl");
  return step(
    `make core reachable from the internet over https, and tell agents the address in ${name}`,
    `agents on ${to.title} call core from outside your network`,
    known === null ? null : known.value.startsWith("https://"),
  );
}

function deploySteps({ workloads, artifacts }: Changes, { target }: Deployment): Step[] {
  const rolled = workloads.filter(({ change }) => change !== "removed").map(({ name }) => `\`${name}\``);
  const gone = workloads.filter(({ change }) => change === "removed").map(({ name }) => `\`${name}\``);
  if (rolled.length === 0 && gone.length === 0 && (artifacts ?? []).length === 0) return [];
  const steps = [step("run `qm-deploy check`, then `qm-deploy render`, and review what changed below `rendered/`")];
  if (rolled.length > 0)
    steps.push(step(`deploy ${rolled.join(", ")}`, `rendered/${target ?? "<target>"}/bring-up.md has the commands`));
  if (gone.length > 0)
    steps.push(step(`take down ${gone.join(", ")}, which ${gone.length === 1 ? "is" : "are"} no longer declared`));
  return steps;
}

function retireSteps({ secrets }: Changes): Step[] {
  if (secrets.retire.length === 0) return [];
  return [
    step(
      `retire ${secrets.retire.map((name) => `\`${name}\``).join(", ")}`,
      "take them out of `.env` and the target's store, and revoke them where they were issued",
    ),
  ];
}

function deleteSteps({ sandbox }: Deployment): Step[] {
  const old = sandbox.effective?.backend;
  return old ? [step(`delete the agents' computers on ${old.title} once nothing on them is missed`)] : [];
}
