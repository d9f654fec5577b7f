import type { Backend } from "../../catalog/backends/backend.ts";
import { inStockCore } from "../../catalog/backends/index.ts";
import { coreValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { Step } from "./deployment-diff.ts";

/** Fields of `sandbox` that the old config has and the new backend does not read. */
function fieldSteps(before: Deployment, after: Deployment, to: Backend): Step[] {
  const { backend: _, ...written } = before.config.sandbox ?? {};
  const read = to.fields(after.release.release);
  const fields = (Object.keys(written) as (keyof typeof written)[]).filter((field) => !read.includes(field));
  return fields.map((field) => ({
    title: `remove \`sandbox.${field}\`, which ${to.title} does not read`,
    detail: to.insteadOfField(field),
    done: after.config.sandbox === undefined || !Object.hasOwn(after.config.sandbox, field),
  }));
}

function selectionStep(after: Deployment, to: Backend): Step {
  const declared = after.sandbox.declared?.name === to.name;
  const field = declared || to.proposedOn.length > 0 ? "sandbox.backend" : "env.core.SANDBOX_BACKEND";
  return { title: `set \`${field}\` to \`${to.name}\``, detail: null, done: after.sandbox.effective?.name === to.name };
}

function settingSteps(after: Deployment, to: Backend): Step[] {
  const required = to.settings.filter((setting) => setting.required === true);
  return required.map((setting) => ({
    title: `set \`env.core.${setting.name}\`: ${setting.description}`,
    detail: `such as \`${setting.example}\``,
    done: coreValue(after.config, setting.name) !== null,
  }));
}

/** An image that was there before the switch may or may not implement the new backend: only a new one counts as done. */
function imageStep(before: Deployment, after: Deployment, to: Backend): Step[] {
  const { release } = after.release;
  const image = after.config.imageOverrides?.core ?? "";
  if (inStockCore(to, release)) return [];
  return [
    {
      title: `get an image of core that implements ${to.title}, and pin it by digest in \`imageOverrides.core\``,
      detail: `the core of qm ${release.version} does not know the backend \`${to.name}\``,
      done: image === "" ? false : image === before.config.imageOverrides?.core ? null : true,
    },
  ];
}

/** Agents that run elsewhere must reach core from there. */
function addressStep(after: Deployment, to: Backend): Step[] {
  if (!to.remote) return [];
  const known = coreValue(after.config, "PUBLIC_API_URL");
  return [
    {
      title: "make core reachable from the internet over https, and tell agents the address in PUBLIC_API_URL",
      detail: `agents on ${to.title} call core from outside your network`,
      done: known === null ? null : known.value.startsWith("https://"),
    },
  ];
}

function egressStep(after: Deployment, to: Backend): Step[] {
  const { egressSetting } = to;
  if (egressSetting === null) return [];
  const done = coreValue(after.config, egressSetting) === null ? null : true;
  return [
    {
      title: `decide on egress: without \`env.core.${egressSetting}\` agents reach every address on the internet`,
      detail: null,
      done,
    },
  ];
}

/** What a switch to another primary backend asks of the config and its surroundings, before core is deployed. */
export function backendSteps(before: Deployment, after: Deployment, to: Backend): readonly Step[] {
  return [
    selectionStep(after, to),
    ...fieldSteps(before, after, to),
    ...settingSteps(after, to),
    ...imageStep(before, after, to),
    ...addressStep(after, to),
    ...egressStep(after, to),
  ];
}
