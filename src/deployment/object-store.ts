import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { WrittenConfig } from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";
import { memoizeByText } from "../base/memo.ts";

/** The object store of an aws deployment. */
export interface Bucket {
  readonly name: string;
  readonly from: readonly ConfigPath[];
}

/** One account holds many deployments of a fleet. */
const shortDigest = memoizeByText(64, (text) => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 12));

/**
 * The bucket that an aws deployment keeps snapshots and transfers in: `aws.objectStoreBucket`, else a name that qm derives
 * (docs/contract/qm-rendering.md#the-bucket). Null where a part of it is missing.
 */
export function objectStoreBucket(config: WrittenConfig): Bucket | null {
  const { accountId, region, cluster, objectStoreBucket: written } = config.aws ?? {};
  if (written?.trim()) return { name: written, from: [["aws", "objectStoreBucket"]] };
  if (accountId === undefined || region === undefined || cluster === undefined || config.orgId === undefined)
    return null;
  const digest = shortDigest(`${accountId}:${region}:${cluster}`);
  const org = config.orgId.slice(0, 30).replace(/-+$/, "");
  return {
    name: `qm-${org}-${digest}`,
    from: [["orgId"], ["aws", "accountId"], ["aws", "region"], ["aws", "cluster"]],
  };
}
