import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { TargetName, WrittenConfig } from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";

/** A name or address that qm derives, with the config places that it is made from. */
export interface DerivedName {
  readonly value: string;
  readonly from: readonly ConfigPath[];
}

/** qm's own name of a part of a deployment on docker: `qm-<org>` and `qm-<org>-<part>` (docs/contract/qm-rendering.md#docker). */
export function dockerName({ orgId = "" }: WrittenConfig, part?: string): string {
  return part === undefined ? `qm-${orgId}` : `qm-${orgId}-${part}`;
}

/** The second name of a container on docker, in a domain that is private to whoever reads it. */
export function dockerAlias(config: WrittenConfig, part: string): string {
  return `${dockerName(config, part)}.internal`;
}

/** What the names of the deployment's Fly apps begin with: `appPrefix`, else `orgId`; null where there is neither. */
export function flyAppPrefix(config: WrittenConfig): DerivedName | null {
  if (config.appPrefix?.trim()) return { value: config.appPrefix.trim(), from: [["appPrefix"]] };
  return config.orgId === undefined ? null : { value: config.orgId, from: [["orgId"]] };
}

/** What the names of apps that agents deploy begin with: `deployAppPrefix`, else `<appPrefix>-d`. */
export function flyDeployAppPrefix(config: WrittenConfig): DerivedName | null {
  if (config.deployAppPrefix?.trim()) return { value: config.deployAppPrefix.trim(), from: [["deployAppPrefix"]] };
  const prefix = flyAppPrefix(config);
  return prefix === null ? null : { value: `${prefix.value}-d`, from: prefix.from };
}

/**
 * The names under which the other workloads of a deployment reach one, lower-case; empty where the config does not say enough
 * (docs/contract/qm-rendering.md#services).
 */
export function workloadHosts(target: TargetName | null, config: WrittenConfig, name: string): readonly string[] {
  if (target === "docker") return [name, dockerAlias(config, name)];
  if (target === "aws") {
    const namespace = config.aws?.networking?.cloudMapNamespace;
    return namespace === undefined ? [] : [`${name}.${namespace}`.toLowerCase()];
  }
  const prefix = target === "fly" ? flyAppPrefix(config) : null;
  return prefix === null ? [] : ["internal", "flycast"].map((zone) => `${prefix.value}-${name}.${zone}`);
}

/** The mark by which qm knows the apps of a deployment; null where a part of it is missing. */
export function flyDeploymentId(config: WrittenConfig): DerivedName | null {
  const prefix = flyAppPrefix(config);
  if (prefix === null || config.orgId === undefined || !config.flyOrg?.trim()) return null;
  return {
    value: `qm-v2:${config.flyOrg.trim()}:${config.orgId}:${prefix.value}`,
    from: [["flyOrg"], ["orgId"], ...prefix.from],
  };
}

/** The database instance of an aws deployment: `aws.rdsInstance`, else the one of qm's Terraform module (docs/contract/qm-rendering.md#terraform-variables). */
export function rdsInstance({ aws }: WrittenConfig): string | null {
  return aws?.rdsInstance?.trim() || (aws?.cluster === undefined ? null : `${aws.cluster}-core`);
}

/**
 * The bucket that an aws deployment keeps snapshots and transfers in: `aws.objectStoreBucket`, else a name that qm derives
 * (docs/contract/qm-rendering.md#the-bucket). Null where a part of it is missing.
 */
export function objectStoreBucket(config: WrittenConfig): DerivedName | null {
  const { accountId, region, cluster, objectStoreBucket: written } = config.aws ?? {};
  if (written?.trim()) return { value: written, from: [["aws", "objectStoreBucket"]] };
  if (accountId === undefined || region === undefined || cluster === undefined || config.orgId === undefined)
    return null;
  const digest = bytesToHex(sha256(utf8ToBytes(`${accountId}:${region}:${cluster}`))).slice(0, 12);
  const org = config.orgId.slice(0, 30).replace(/-+$/, "");
  return {
    value: `qm-${org}-${digest}`,
    from: [["orgId"], ["aws", "accountId"], ["aws", "region"], ["aws", "cluster"]],
  };
}

/** The name of the secret by which qm knows the apps of a deployment (docs/contract/qm-rendering.md#fly); null where a part of it is missing. */
export function flyOwnerMark(config: WrittenConfig): string | null {
  const id = flyDeploymentId(config)?.value;
  return id === undefined
    ? null
    : `QM_OWNER_${bytesToHex(sha256(utf8ToBytes(id)))
        .slice(0, 16)
        .toUpperCase()}`;
}
