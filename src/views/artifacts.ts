import type { TargetName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { RenderOptions } from "../render/artifact.ts";
import { MANIFEST } from "../render/manifest.ts";
import { renderDeployment } from "../render/render.ts";
import { secretsWithValue } from "../render/secrets.ts";

/** What `render` does without options, for a deployment that was never rendered. */
function plainOptions(deployment: Deployment, target: TargetName): RenderOptions {
  return {
    secrets: false,
    withOptional: false,
    bind: "127.0.0.1",
    toDeployment: "../..",
    place: `rendered/${target}`,
    secretsWithValue: new Set(secretsWithValue(deployment)),
    existingTfvars: null,
  };
}

/**
 * The artifacts of a deployment by name, as `render` would write them, without the manifest, which changes with every other;
 * null where there is no target to render for.
 */
export function artifactsByName(deployment: Deployment): ReadonlyMap<string, string> | null {
  if (deployment.target === null) return null;
  const { artifacts } = renderDeployment(deployment, plainOptions(deployment, deployment.target));
  return new Map(
    artifacts.filter(({ name, secret }) => !secret && name !== MANIFEST).map(({ name, text }) => [name, text]),
  );
}

/** The artifacts that are not the same in both, sorted by name. */
export function changedArtifacts(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.filter((name) => before.get(name) !== after.get(name));
}
