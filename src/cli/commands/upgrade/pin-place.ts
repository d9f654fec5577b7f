import { dirname, join, resolve } from "node:path";
import type { Deployment } from "../../../deployment/deployment.ts";
import type { PackageFile } from "../../../deployment/inputs.ts";
import { findDeployments } from "../../../workspace/find-deployments.ts";
import { displayName } from "../../../workspace/paths.ts";
import { type ParentCache, readPackageFiles } from "../../../workspace/package-files.ts";

/** Where the pin of a deployment is to stand. */
export interface PinPlace {
  readonly relation: PackageFile["relation"];
  /** The package.json, absolute; need not exist. */
  readonly path: string;
  /** The directories of the other deployments that read a pin in it, as they are called here. */
  readonly others: readonly string[];
}

/** The place of a deployment's pin: where it stands now, or as asked for; a new one stands beside the config. */
export function pinPlace(
  { inputs, release }: Deployment,
  config: string,
  cwd: string,
  asked: string | undefined,
): PinPlace | { readonly missing: string } {
  const own: PinPlace = { relation: "own", path: join(dirname(config), "package.json"), others: [] };
  const parent = inputs.packageFiles.find(({ relation }) => relation === "parent");
  if (asked === "own") return own;
  if (asked === "shared" && parent === undefined)
    return { missing: "no package.json above this deployment pins qm, so there is nothing that could be shared" };
  if (parent === undefined || (asked === undefined && release.source !== "parent package.json")) return own;
  const path = resolve(cwd, parent.file);
  return { relation: "parent", path, others: otherReaders(parent.file, dirname(path), config, cwd) };
}

/** The deployments below a directory, but for one, that its package.json pins qm for. */
function otherReaders(file: string, directory: string, config: string, cwd: string): readonly string[] {
  const parents: ParentCache = new Map();
  return findDeployments([directory], cwd).configs.flatMap(({ path }) => {
    if (path === null || path === config) return [];
    const [pin] = readPackageFiles(dirname(path), cwd, parents).files.toReversed();
    return pin?.relation === "parent" && pin.file === file ? [displayName(dirname(path), cwd)] : [];
  });
}
