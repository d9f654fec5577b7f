import { flyAppPrefix } from "../../deployment/derived-names.ts";
import { objectStoreBucket } from "../../deployment/derived-names.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { machineNaming } from "../../rules/shared-machines.ts";
import type { ValueMask } from "../value-mask.ts";
import type { DataAtRisk } from "./deployment-diff.ts";

/** Names of core's environment that say where it keeps what. */
const STORES: { readonly [name: string]: { readonly what: DataAtRisk["what"]; readonly holds: string } } = {
  DATA_DIR: { what: "files", holds: "the files that core keeps on its disk" },
  RUN_STORE: { what: "database", holds: "runs" },
  S3_BUCKET: { what: "files", holds: "snapshots and transfers" },
  S3_ENDPOINT: { what: "files", holds: "snapshots and transfers" },
  S3_PREFIX: { what: "files", holds: "snapshots and transfers" },
  S3_REGION: { what: "files", holds: "snapshots and transfers" },
  SESSION_STORE: { what: "database", holds: "sessions" },
  SNAPSHOT_STORE: { what: "files", holds: "snapshots" },
  TRANSFER_STORE: { what: "files", holds: "transfers" },
};

function title({ sandbox }: Deployment): string {
  return sandbox.effective?.backend?.title ?? "another backend";
}

/** Agents that get new computers: what is on the old ones stays there. */
function agentComputers(before: Deployment, after: Deployment): DataAtRisk[] {
  const [from, to] = [before.sandbox.effective, after.sandbox.effective];
  if (from === null) return [];
  const stays = `what agents left on their computers on ${title(before)} stays there`;
  if (to === null)
    return [{ what: "agent-computers", message: `no backend is left, so agents can no longer execute; ${stays}` }];
  if (from.name !== to.name) {
    return [
      {
        what: "agent-computers",
        message: `agents move from ${title(before)} to new, empty computers on ${title(after)}; ${stays}`,
      },
    ];
  }
  const [old, now] = [machineNaming(before), machineNaming(after)];
  const reasons: string[] = [];
  if (old !== null && now !== null && old.prefix !== now.prefix) reasons.push("the prefix of machine names changes");
  if (old !== null && now !== null && old.org !== now.org) reasons.push("machines belong to another org");
  const readsApp = to.backend?.fields(after.release.release).includes("app") ?? false;
  if (readsApp && before.config.sandbox?.app !== after.config.sandbox?.app) reasons.push("`sandbox.app` changes");
  return reasons.length === 0
    ? []
    : [
        {
          what: "agent-computers",
          message: `agents get new, empty computers, since ${reasons.join(" and ")}; ${stays}`,
        },
      ];
}

/** What names the place where the database and the volumes of a deployment are. */
function home({ target, config }: Deployment): readonly (readonly [what: string, value: string | undefined])[] {
  if (target === "docker") return [["orgId", config.orgId]];
  if (target === "fly")
    return [
      ["appPrefix", flyAppPrefix(config)?.value],
      ["flyOrg", config.flyOrg],
      ["region", config.region],
    ];
  return [
    ["aws.accountId", config.aws?.accountId],
    ["aws.region", config.aws?.region],
    ["aws.cluster", config.aws?.cluster],
    ["aws.rdsInstance", config.aws?.rdsInstance],
  ];
}

function database(before: Deployment, after: Deployment): DataAtRisk[] {
  if (before.target !== after.target) {
    return [
      {
        what: "database",
        message: `the database and files of core on ${before.target ?? "no target"} are not moved to ${after.target ?? "no target"}: back them up and restore them there`,
      },
    ];
  }
  const now = new Map(home(after));
  const changed = home(before)
    .filter(([what, value]) => now.get(what) !== value)
    .map(([what]) => `\`${what}\``);
  if (changed.length === 0) return [];
  return [
    {
      what: "database",
      message: `${changed.join(" and ")} ${changed.length === 1 ? "changes" : "change"}, which names other volumes, apps or databases: those of now stay behind, and the new ones begin empty`,
    },
  ];
}

/** Where core keeps things: what is in the old place is not found in the new one. */
function stores(before: Deployment, after: Deployment, mask: ValueMask): DataAtRisk[] {
  const valueOf = ({ workloads }: Deployment, name: string) =>
    workloads.find((one) => one.name === "core")?.environment.find((entry) => entry.name === name)?.value;
  return Object.entries(STORES).flatMap(([name, { what, holds }]): DataAtRisk[] => {
    const [from, to] = [valueOf(before, name), valueOf(after, name)];
    if (from === to || from === undefined) return [];
    const now = to === undefined ? "nothing" : `\`${mask(name, to)}\``;
    return [
      {
        what,
        message: `${name} of core changes from \`${mask(name, from)}\` to ${now}: ${holds} of now are not found there`,
      },
    ];
  });
}

function bucket(before: Deployment, after: Deployment, said: readonly DataAtRisk[]): DataAtRisk[] {
  if (before.target !== "aws" || after.target !== "aws") return [];
  const [from, to] = [objectStoreBucket(before.config)?.value, objectStoreBucket(after.config)?.value];
  const isSaid = said.some(({ message }) => message.startsWith("S3_BUCKET"));
  return from === to || from === undefined || isSaid
    ? []
    : [
        {
          what: "files",
          message: `the object store changes from \`${from}\` to \`${to ?? "none"}\`: what is in it is not moved`,
        },
      ];
}

/** The data that a change leaves behind. */
export function dataAtRisk(before: Deployment, after: Deployment, mask: ValueMask): readonly DataAtRisk[] {
  const moved = stores(before, after, mask);
  return [...agentComputers(before, after), ...database(before, after), ...moved, ...bucket(before, after, moved)];
}
