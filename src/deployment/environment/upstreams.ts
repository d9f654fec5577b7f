import type { DeploymentChoices } from "../choices.ts";
import { derivedFrom } from "../provenance.ts";
import { upstreamAddress, workloadAddress } from "./address.ts";
import type { EnvironmentBuilder } from "./builder.ts";

/** Puts where core is reached. */
export function putCoreAddress(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const core = workloadAddress(basis, "core");
  if (core !== null)
    builder.put("CORE_API_URL", core.url, derivedFrom(core.from, "core as the other workloads reach it"));
}

/** Puts where the portal finds a service. */
export function putUpstream(builder: EnvironmentBuilder, basis: DeploymentChoices, service: "web-ui" | "admin"): void {
  const address = upstreamAddress(basis, service);
  const name = service === "admin" ? "ADMIN_UPSTREAM" : "WEB_UI_UPSTREAM";
  if (address !== null)
    builder.put(name, address.url, derivedFrom(address.from, `${service} as the portal reaches it`));
}
