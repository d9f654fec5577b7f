import { compareReleases } from "../../catalog/releases/index.ts";
import { nameOf, type SettingKey } from "../../catalog/settings/index.ts";
import { objectStoreBucket } from "../../deployment/derived-names.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { coreSetting } from "../../render/workloads.ts";
import { machineNaming } from "../../rules/sandbox/machine-names.ts";
import type { ValueMask } from "../value-mask.ts";
import { placeOf } from "./steps/place.ts";

/** Something that holds data and that a change leaves behind. */
export interface DataAtRisk {
  readonly what: "agent-computers" | "database" | "files" | "tables";
  readonly message: string;
}

const STORES: readonly (readonly [key: SettingKey, what: DataAtRisk["what"], holds: string])[] = [
  ["core.dataDirectory", "files", "the files that core keeps on its disk"],
  ["core.runStore", "database", "runs"],
  ["core.s3Bucket", "files", "snapshots and transfers"],
  ["core.s3Endpoint", "files", "snapshots and transfers"],
  ["core.s3Prefix", "files", "snapshots and transfers"],
  ["core.s3Region", "files", "snapshots and transfers"],
  ["core.sessionStore", "database", "sessions"],
  ["core.snapshotStore", "files", "snapshots"],
  ["core.transferStore", "files", "transfers"],
];

/** The data that a change leaves behind. */
export function dataAtRisk(before: Deployment, after: Deployment, mask: ValueMask): readonly DataAtRisk[] {
  const found: DataAtRisk[] = [];
  const add = (what: DataAtRisk["what"], message: string | null): void => {
    if (message !== null) found.push({ what, message });
  };
  add("tables", tablesMessage(before, after));
  add("agent-computers", agentComputersMessage(before, after));
  add("database", databaseMessage(before, after));
  for (const [key, what, holds] of STORES) add(what, storeMessage(before, after, key, holds, mask));
  add("files", bucketMessage(before, after));
  return found;
}

/** Agents that get new computers: what is on the old ones stays there. */
function agentComputersMessage(before: Deployment, after: Deployment): string | null {
  const [from, to] = [before.sandbox.effective, after.sandbox.effective];
  if (from === null) return null;
  const stays = `what agents left on their computers on ${backendTitle(before)} stays there`;
  if (to === null) return `no backend is left, so agents can no longer execute; ${stays}`;
  if (from.name !== to.name)
    return `agents move from ${backendTitle(before)} to new, empty computers on ${backendTitle(after)}; ${stays}`;
  const [old, now] = [machineNaming(before), machineNaming(after)];
  const reasons: string[] = [];
  if (old !== null && now !== null && old.prefix !== now.prefix) reasons.push("the prefix of machine names changes");
  if (old !== null && now !== null && old.org !== now.org) reasons.push("machines belong to another org");
  const readApp =
    from.backend?.fields(before.release.release).includes("app") === true && before.config.sandbox?.app !== undefined;
  const readsApp = to.backend?.fields(after.release.release).includes("app") ?? false;
  if (readsApp && before.config.sandbox?.app !== after.config.sandbox?.app) reasons.push("`sandbox.app` changes");
  if (readApp && !readsApp) reasons.push(`qm ${after.release.resolved} no longer finds them by \`sandbox.app\``);
  return reasons.length === 0 ? null : `agents get new, empty computers, since ${reasons.join(" and ")}; ${stays}`;
}

/** Core changes the tables of its database as it comes to a newer release, and no release takes them back. */
function tablesMessage(before: Deployment, after: Deployment): string | null {
  const [from, to] = [before.release, after.release];
  if (from.resolved === to.resolved || before.workloads.length === 0) return null;
  return compareReleases(from.release, to.release) < 0
    ? `core of qm ${to.resolved} changes the tables of the database for good: qm ${from.resolved} is not made to run on them, and a backup of now is the only way back`
    : `core of qm ${from.resolved} has changed the tables of the database: qm ${to.resolved} is not made to run on them, and a backup of the time before is what it can start with`;
}

function backendTitle({ sandbox }: Deployment): string {
  return sandbox.effective?.backend?.title ?? "another backend";
}

function databaseMessage(before: Deployment, after: Deployment): string | null {
  if (before.target !== after.target)
    return `the database and files of core on ${before.target ?? "no target"} are not moved to ${after.target ?? "no target"}: back them up and restore them there`;
  const now = new Map(homeOf(after));
  const changed = homeOf(before).filter(([field, value]) => now.get(field) !== value);
  if (changed.length === 0) return null;
  const fields = changed.map(([field]) => `\`${field}\``).join(" and ");
  return `${fields} ${changed.length === 1 ? "changes" : "change"}, which names other volumes, apps or databases: those of now stay behind, and the new ones begin empty`;
}

/** What names the place where the database and the volumes of a deployment are. */
function homeOf(deployment: Deployment): ReturnType<typeof placeOf> {
  const { target, config } = deployment;
  return target === "aws"
    ? [...placeOf(deployment), ["aws.rdsInstance", config.aws?.rdsInstance]]
    : placeOf(deployment);
}

/** Where core keeps things: what is in the old place is not found in the new one. */
function storeMessage(
  before: Deployment,
  after: Deployment,
  key: SettingKey,
  holds: string,
  mask: ValueMask,
): string | null {
  const [from, to] = [coreSetting(before, key)?.value, coreSetting(after, key)?.value];
  if (from === to || from === undefined) return null;
  const name = nameOf(after.release.release, key);
  const now = to === undefined ? "nothing" : `\`${mask(name, to)}\``;
  return `${name} of core changes from \`${mask(name, from)}\` to ${now}: ${holds} of now are not found there`;
}

/** The object store of aws, where core's own setting does not tell of it already. */
function bucketMessage(before: Deployment, after: Deployment): string | null {
  if (before.target !== "aws" || after.target !== "aws") return null;
  const [old, now] = [coreSetting(before, "core.s3Bucket")?.value, coreSetting(after, "core.s3Bucket")?.value];
  const [from, to] = [objectStoreBucket(before.config)?.value, objectStoreBucket(after.config)?.value];
  if (from === to || from === undefined || (old !== now && old !== undefined)) return null;
  return `the object store changes from \`${from}\` to \`${to ?? "none"}\`: what is in it is not moved`;
}
