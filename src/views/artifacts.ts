import type { Deployment } from "../deployment/deployment.ts";
import { DEFAULT_BIND, type RenderContext, type Rendered, type RenderOptions } from "../render/artifact.ts";
import { MANIFEST } from "../deployment/rendered-names.ts";
import { renderContext, renderDeployment } from "../render/render.ts";
import { secretsWithValue } from "../render/secrets.ts";

/** As `render` without options has it the first time. */
function firstOptions(deployment: Deployment): RenderOptions {
  return {
    secrets: false,
    withOptional: false,
    bind: DEFAULT_BIND,
    toDeployment: "../..",
    place: `rendered/${deployment.target}`,
    secretsWithValue: new Set(secretsWithValue(deployment)),
    existingTfvars: null,
  };
}

/** Everything that `render` without options makes of a deployment the first time; nothing but a refusal without a target. */
export function firstRender(deployment: Deployment): Rendered {
  return renderDeployment(deployment, firstOptions(deployment));
}

/** What renderers get for {@link firstRender}, for whoever names their files and commands; null without a target. */
export function firstContext(deployment: Deployment): RenderContext | null {
  return deployment.target === null ? null : renderContext(deployment, deployment.target, firstOptions(deployment));
}

/** The texts of artifacts by name. The manifest is left out, since it changes with every other. */
export function artifactsByName({ artifacts }: Rendered): ReadonlyMap<string, string> {
  return new Map(artifacts.filter(({ name }) => name !== MANIFEST).map(({ name, text }) => [name, text]));
}

/** The artifacts that are not the same in both, sorted by name. */
export function changedArtifacts(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.filter((name) => before.get(name) !== after.get(name));
}

/** Names the artifacts that differ in a changed deployment; null where one of the two cannot be rendered. */
export type FindAffected = (changed: Deployment) => readonly string[] | null;

/** Finds what a change reaches by rendering with and without it: what is found is what is true. */
export function affectedArtifacts(deployment: Deployment): FindAffected {
  const before = artifactsByName(firstRender(deployment));
  return (changed) =>
    deployment.target === null || changed.target === null
      ? null
      : changedArtifacts(before, artifactsByName(firstRender(changed)));
}
