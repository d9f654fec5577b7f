import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "../deployment/deployment.ts";
import { compareText } from "../base/text-order.ts";
import type { RenderNote } from "../render/artifact.ts";
import type { RenderedDirectory } from "./rendered-directory.ts";

const SECRETS_FILE = /^(.+)\.secrets\.[a-z]+$/;

/** Files with secrets of a workload or by a name that the deployment no longer has: no manifest lists them, so somebody must be told. */
export function leftoverSecrets(deployment: Deployment, { directory }: RenderedDirectory): readonly RenderNote[] {
  const known = new Set([
    ...deployment.workloads.map((workload) => workload.name),
    ...deployment.secrets.flatMap((secret) => [
      secret.name,
      ...secret.destinations.map((destination) => destination.workload),
    ]),
  ]);
  const names = ["", "secrets/"].flatMap((below) =>
    namesIn(join(directory, below))
      .filter((name) => isLeft(name, known))
      .map((name) => `${below}${name}`),
  );
  return names
    .sort(compareText)
    .map((artifact) => ({ artifact, message: "holds secrets of what this deployment no longer has: remove it" }));
}

function isLeft(name: string, known: ReadonlySet<string>): boolean {
  const owner = SECRETS_FILE.exec(name)?.[1];
  return owner !== undefined && !known.has(owner);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
