import { SERVICE_PORT } from "../../catalog/services.ts";
import { FLYCAST_SERVICES } from "../../catalog/targets/fly.ts";
import type { RunnableServiceName, ServiceName } from "../../config/written-config.ts";
import type { DeploymentChoices } from "../deployment.ts";
import { type DerivedName, flyAppPrefix } from "../derived-names.ts";
import { derivedFrom } from "../provenance.ts";
import type { EnvironmentBuilder } from "./builder.ts";

/** The address at which other workloads reach a service that is a workload; null where the config does not say enough. */
export function workloadAddress(
  { target, config }: DeploymentChoices,
  service: RunnableServiceName,
): DerivedName | null {
  if (target === "docker") return { value: `http://${service}:${SERVICE_PORT}`, from: [] };
  if (target === "aws") {
    const namespace = config.aws?.networking?.cloudMapNamespace;
    if (namespace === undefined) return null;
    return {
      value: `http://${service}.${namespace}:${SERVICE_PORT}`,
      from: [["aws", "networking", "cloudMapNamespace"]],
    };
  }
  const prefix = target === "fly" ? flyAppPrefix(config) : null;
  if (prefix === null) return null;
  const app = `${prefix.value}-${service}`;
  const host = FLYCAST_SERVICES.includes(service) ? `${app}.flycast` : `${app}.internal:${SERVICE_PORT}`;
  return { value: `http://${host}`, from: prefix.from };
}

/** The address at which the portal reaches a service, which may run inside another: admin inside web-ui has a path there. */
function upstreamAddress(choices: DeploymentChoices, service: ServiceName): DerivedName | null {
  const host = choices.release.release.host[service];
  const address = workloadAddress(choices, host);
  if (address === null || host === service) return address;
  return { value: `${address.value}/${service}`, from: address.from };
}

/** Where core is reached. */
export function putCoreAddress(env: EnvironmentBuilder): void {
  const core = workloadAddress(env.choices, "core");
  if (core !== null) env.put("all.coreUrl", core.value, derivedFrom(core.from, "core as the other workloads reach it"));
}

/** Where the portal finds web-ui and admin. docker only knows the containers that it starts. */
export function putUpstreams(env: EnvironmentBuilder): void {
  if (env.service !== "portal") return;
  const { choices } = env;
  for (const [service, key] of [
    ["web-ui", "portal.webUiUpstream"],
    ["admin", "portal.adminUpstream"],
  ] as const) {
    const address = upstreamAddress(choices, service);
    if (address === null || (choices.target === "docker" && !choices.services.includes(service))) continue;
    env.put(key, address.value, derivedFrom(address.from, `${service} as the portal reaches it`));
  }
}
