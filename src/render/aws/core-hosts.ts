import { readWebUrl } from "../../catalog/grammar/host.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { coreSetting } from "../workloads.ts";

/**
 * The names that lead past the portal to core: that of `apiUrl`, and those of agents' apps (docs/contract/qm-rendering.md#terraform-variables).
 * Empty where the release's module knows none.
 */
export function corePublicHosts(deployment: Deployment): readonly string[] {
  const { config, services, publicOrigin, release, workloads } = deployment;
  if (!release.release.coreHosts || !services.includes("portal")) return [];
  const hostOf = (url: string | null | undefined): string | undefined => readWebUrl(url?.trim() ?? "")?.hostname;
  const api = hostOf(config.apiUrl);
  const domain = (value: string | undefined): string => value?.trim().toLowerCase().replace(/\.$/, "") ?? "";
  const apps =
    domain(coreSetting(deployment, "core.deployAppsDomain")?.value) ||
    domain(coreSetting(deployment, "core.awsDeployAppsDomain")?.value);
  const portal = workloads.find(({ name }) => name === "portal");
  const portalName = nameOf(release.release, "portal.appsDomain");
  const portalApps = domain(portal?.environment.find(({ name }) => name === portalName)?.value);
  const isShared = config.aws?.sharedAlb === true && apps === portalApps;
  return [
    ...(api === undefined || api === hostOf(publicOrigin) ? [] : [api]),
    ...(apps === "" || isShared ? [] : [`*.${apps}`]),
  ];
}
