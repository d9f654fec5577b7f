import type { WrittenConfig } from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";

/** A name on Fly with the config places that it is made from. */
export interface FlyName {
  readonly value: string;
  readonly from: readonly ConfigPath[];
}

/** What the names of the deployment's Fly apps begin with: `appPrefix`, else `orgId`; null where there is neither. */
export function flyAppPrefix(config: WrittenConfig): FlyName | null {
  if (config.appPrefix?.trim()) return { value: config.appPrefix.trim(), from: [["appPrefix"]] };
  return config.orgId === undefined ? null : { value: config.orgId, from: [["orgId"]] };
}

/** What the names of apps that agents deploy begin with: `deployAppPrefix`, else `<appPrefix>-d`. */
export function flyDeployAppPrefix(config: WrittenConfig): FlyName | null {
  if (config.deployAppPrefix?.trim()) return { value: config.deployAppPrefix.trim(), from: [["deployAppPrefix"]] };
  const prefix = flyAppPrefix(config);
  return prefix === null ? null : { value: `${prefix.value}-d`, from: prefix.from };
}

/** The mark by which qm knows the apps of a deployment; null where a part of it is missing. */
export function flyDeploymentId(config: WrittenConfig): FlyName | null {
  const prefix = flyAppPrefix(config);
  if (prefix === null || config.orgId === undefined || !config.flyOrg?.trim()) return null;
  return {
    value: `qm-v2:${config.flyOrg.trim()}:${config.orgId}:${prefix.value}`,
    from: [["flyOrg"], ["orgId"], ...prefix.from],
  };
}
