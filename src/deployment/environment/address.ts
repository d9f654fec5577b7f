import type { RunnableServiceName, ServiceName } from "../../config/written-config.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { flyAppPrefix } from "../fly-names.ts";
import type { DeploymentChoices } from "../choices.ts";

/** Where other workloads reach a service, and the config places that the address is made from. */
export interface Address {
  readonly url: string;
  readonly from: readonly ConfigPath[];
}

/** Services behind Fly's private load balancer, which starts their stopped machines; the others are reached directly. */
const FLYCAST: ReadonlySet<RunnableServiceName> = new Set(["web-ui", "auth"]);

/** The internal address of a service that is a workload of its own; null where the config does not say enough. */
export function workloadAddress(basis: DeploymentChoices, service: RunnableServiceName): Address | null {
  if (basis.target === "docker") return { url: `http://${service}:8080`, from: [] };
  if (basis.target === "aws") {
    const namespace = basis.config.aws?.networking?.cloudMapNamespace;
    if (namespace === undefined) return null;
    return { url: `http://${service}.${namespace}:8080`, from: [["aws", "networking", "cloudMapNamespace"]] };
  }
  const prefix = basis.target === "fly" ? flyAppPrefix(basis.config) : null;
  if (prefix === null) return null;
  const url = FLYCAST.has(service)
    ? `http://${prefix.value}-${service}.flycast`
    : `http://${prefix.value}-${service}.internal:8080`;
  return { url, from: prefix.from };
}

/** The address at which the portal reaches a service, which may run inside another: admin inside web-ui has a path there. */
export function upstreamAddress(basis: DeploymentChoices, service: ServiceName): Address | null {
  const host = basis.release.host[service];
  const address = workloadAddress(basis, host);
  if (address === null || host === service) return address;
  return { url: `${address.url}/${service}`, from: address.from };
}
