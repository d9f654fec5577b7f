import type { Backend } from "../../../catalog/backends/backend.ts";
import { inStockCore } from "../../../catalog/backends/index.ts";
import { nameOf } from "../../../catalog/settings/index.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { coreValue, settingValue } from "../../../deployment/env-values.ts";
import { type Step, step as stepFor } from "./step.ts";

const step = (title: string, detail: string | null, done: boolean | null): Step =>
  stepFor(["backend"], title, { detail, done });

/** The primary backend that a deployment switches to; null where it stays the same one. */
export function switchedBackend(before: Deployment, after: Deployment): Backend | null {
  const to = after.sandbox.effective?.backend ?? null;
  return to !== null && before.sandbox.effective?.name !== to.name ? to : null;
}

/** What a switch to another primary backend asks of the config and its surroundings, before core is deployed. */
export function backendSteps(before: Deployment, after: Deployment, to: Backend): readonly Step[] {
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

/** Comes once agents work on their new computers. */
export function deletingSteps({ sandbox }: Deployment): readonly Step[] {
  const old = sandbox.effective?.backend;
  return old ? [step(`delete the agents' computers on ${old.title} once nothing on them is missed`, null, null)] : [];
}
