import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { compareText } from "../base/text-order.ts";
import type { TargetName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { RenderNote } from "../render/artifact.ts";
import { displayName, isInside, withSlashes } from "./paths.ts";
import { nearestExisting, readRegularFile } from "./read-file.ts";
import { regularFileAt, walkDirectories, WriteRefused } from "./write-file.ts";

/** Where the artifacts of a deployment lie. Paths without further word are absolute. */
export interface RenderedDirectory {
  /** Links above it are trusted; nothing below it is followed through a link. */
  readonly root: string;
  /** `rendered/<target>`. */
  readonly path: string;
  /** The deployment directory. */
  readonly deployment: string;
  /** `path` relative to the working directory, for people. */
  readonly shown: string;
  /** From `path` to the deployment directory, and back; with `/`. */
  readonly toDeployment: string;
  readonly fromDeployment: string;
}

/** Far above what any renderer makes. */
const MAX_RENDERED_BYTES = 64 * 1024 * 1024;

export interface RenderedFile {
  readonly text: string;
  readonly mode: number;
}

/** Finds the directory for `--out` (default: `rendered` in the deployment directory), which is taken from the working directory. */
export function renderedDirectory(
  deploymentDirectory: string,
  target: TargetName,
  out: string | undefined,
  cwd: string,
): RenderedDirectory {
  const deployment = resolve(cwd, deploymentDirectory);
  const outer = out === undefined ? join(deployment, "rendered") : resolve(cwd, out);
  const path = join(outer, target);
  const fromDeployment = withSlashes(relative(deployment, path));
  return {
    root: isInside(outer, deployment) ? deployment : nearestExisting(dirname(outer)),
    path,
    deployment,
    shown: displayName(path, cwd),
    toDeployment: withSlashes(relative(path, deployment)),
    // No command may take it for an option.
    fromDeployment: fromDeployment.startsWith("-") ? `./${fromDeployment}` : fromDeployment,
  };
}

/**
 * Reads a file below a directory; null when there is none.
 *
 * @throws {WriteRefused} where a link or something that is no regular file stands in the way
 */
export function readRenderedFile(root: string, path: string): RenderedFile | null {
  if (!walkDirectories(root, dirname(path)) || regularFileAt(path) === null) return null;
  const read = readRegularFile(path, { limit: MAX_RENDERED_BYTES, followsLink: false });
  if ("notFile" in read) throw new WriteRefused(`\`${path}\` is ${read.notFile}`);
  if (read.bytes.length > MAX_RENDERED_BYTES)
    throw new WriteRefused(`\`${path}\` is larger than 64 MiB, which nothing rendered is`);
  return { text: read.bytes.toString("utf8"), mode: read.stats.mode & 0o777 };
}

/** A text as git keeps it: a checkout may end its lines with CRLF, by which nobody changed anything. */
export function asCommitted(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

const SECRETS_FILE = /^(.+)\.secrets\.[a-z]+$/;

/** Files with secrets of a workload or by a name that the deployment no longer has: no manifest lists them, so somebody must be told. */
export function leftoverSecrets(deployment: Deployment, { path }: RenderedDirectory): readonly RenderNote[] {
  const known = new Set([
    ...deployment.workloads.map((workload) => workload.name),
    ...deployment.secrets.flatMap(({ name, destinations }) => [name, ...destinations.map((one) => one.workload)]),
  ]);
  const isLeft = (name: string): boolean => {
    const owner = SECRETS_FILE.exec(name)?.[1];
    return owner !== undefined && !known.has(owner);
  };
  const left = [
    ...namesIn(path).filter(isLeft),
    ...namesIn(join(path, "secrets")).flatMap((name) => (isLeft(name) ? [`secrets/${name}`] : [])),
  ];
  const message = "holds secrets of what this deployment no longer has: remove it";
  return left.sort(compareText).map((artifact) => ({ artifact, message }));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
