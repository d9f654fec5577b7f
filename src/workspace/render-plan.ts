import { join } from "node:path";
import type { Deployment } from "../deployment/deployment.ts";
import { compareText } from "../base/text-order.ts";
import type { Artifact, Rendered, RenderOptions } from "../render/artifact.ts";
import { TFVARS } from "../render/aws/tfvars.ts";
import {
  type Manifest,
  MANIFEST,
  manifestArtifact,
  manifestOf,
  type ManifestEntry,
  readManifest,
  textHash,
} from "../render/manifest.ts";
import { renderDeployment } from "../render/render.ts";
import { secretsWithValue } from "../render/secrets.ts";
import { readRenderedFile, type RenderedFile } from "./rendered-files.ts";
import type { RenderedDirectory } from "./rendered-directory.ts";
import { leftoverSecrets } from "./rendered-secrets.ts";

/** What to render, and where. */
export interface RenderRequest {
  readonly deployment: Deployment;
  readonly place: RenderedDirectory;
  readonly options: Pick<RenderOptions, "secrets" | "withOptional" | "bind">;
  /** Names of artifacts; null: all. */
  readonly only: readonly string[] | null;
  readonly prune: boolean;
}

/** One artifact against what lies there. */
export interface PlannedFile {
  readonly artifact: Artifact;
  readonly before: RenderedFile | null;
  readonly change: "new" | "changed" | "unchanged";
  /** True when somebody edited it since it was rendered, so that writing loses that. */
  readonly edited: boolean;
}

/** A file that an earlier render wrote and that no longer belongs to the deployment. */
export interface StaleFile {
  readonly name: string;
  /** False when it was edited since, or is one that operators edit: never removed. */
  readonly removable: boolean;
}

/** Everything that a run of `render` decides before it writes. */
export interface RenderPlan {
  /** Sorted by name; `manifest.json` is last to be written. */
  readonly files: readonly PlannedFile[];
  readonly stale: readonly StaleFile[];
  readonly refusals: Rendered["refusals"];
  readonly notes: Rendered["notes"];
  /** Names of `only` that this deployment has not, and all that it has. */
  readonly unknown: readonly string[];
  readonly names: readonly string[];
}

/**
 * Renders a deployment and compares it with what lies there. Reads only.
 *
 * @throws {WriteRefused} where a link stands in the way
 */
export function planRender(request: RenderRequest): RenderPlan {
  const { deployment, place, only } = request;
  const { toDeployment, place: back } = place;
  const old = oldManifest(place);
  const withValue = secretsWithValue(deployment) ?? old?.envNames;
  const rendered = renderDeployment(deployment, {
    ...request.options,
    toDeployment,
    place: back,
    secretsWithValue: new Set(withValue),
    existingTfvars: existingTfvars(deployment, place),
  });
  const isWanted = (name: string): boolean => only === null || only.includes(name);
  const wanted = rendered.artifacts.filter((artifact) => artifact.name !== MANIFEST && isWanted(artifact.name));
  const refusals = rendered.refusals.filter((refusal) => isWanted(refusal.artifact));
  const stale = only === null ? staleFiles(place, rendered, old) : [];
  const hashes = new Map(old?.artifacts.map((entry) => [entry.name, entry.sha256]));
  const files = wanted.map((artifact) => plannedFile(place, artifact, hashes.get(artifact.name) ?? null));
  const manifest = plannedFile(place, manifestArtifact(mergedManifest(request, rendered, wanted, old, stale)), null);
  const names = [
    ...new Set([...rendered.artifacts, ...rendered.refusals].map((one) => ("name" in one ? one.name : one.artifact))),
  ].sort(compareText);
  return {
    files: [...files, manifest].sort((a, b) => compareText(a.artifact.name, b.artifact.name)),
    stale,
    refusals,
    notes: [
      ...rendered.notes.filter((note) => isWanted(note.artifact)),
      ...(only === null ? leftoverSecrets(deployment, place) : []),
    ],
    unknown: (only ?? []).filter((name) => !names.includes(name)),
    names,
  };
}

/** The operator's values: of the rendered file, else of the module that `qm init` made. */
function existingTfvars({ target }: Deployment, { root, directory, deployment }: RenderedDirectory): string | null {
  if (target !== "aws") return null;
  const file =
    readRenderedFile(root, join(directory, TFVARS)) ?? readRenderedFile(deployment, join(deployment, "infra", TFVARS));
  return file?.text ?? null;
}

function oldManifest({ root, directory }: RenderedDirectory): Manifest | null {
  const file = readRenderedFile(root, join(directory, MANIFEST));
  return file === null ? null : readManifest(file.text);
}

function plannedFile({ root, directory }: RenderedDirectory, artifact: Artifact, hash: string | null): PlannedFile {
  const before = readRenderedFile(root, join(directory, artifact.name));
  const isOpen = artifact.secret && process.platform !== "win32" && before !== null && (before.mode & 0o077) !== 0;
  const change = before === null ? "new" : before.text === artifact.text && !isOpen ? "unchanged" : "changed";
  return {
    artifact,
    before,
    change,
    edited: before !== null && change === "changed" && hash !== null && textHash(before.text) !== hash,
  };
}

function staleFiles(
  { root, directory }: RenderedDirectory,
  rendered: Rendered,
  old: Manifest | null,
): readonly StaleFile[] {
  const known = new Set([
    ...rendered.artifacts.map((one) => one.name),
    ...rendered.refusals.map((one) => one.artifact),
  ]);
  return (old?.artifacts ?? []).flatMap(({ name, sha256 }) => {
    const file = known.has(name) ? null : readRenderedFile(root, join(directory, name));
    return file === null ? [] : [{ name, removable: sha256 !== null && textHash(file.text) === sha256 }];
  });
}

/** What is ours afterwards: what this run renders, and what earlier runs rendered and this one leaves alone. */
function mergedManifest(
  request: RenderRequest,
  rendered: Rendered,
  wanted: readonly Artifact[],
  old: Manifest | null,
  stale: readonly StaleFile[],
): Manifest {
  const { deployment, only, prune, place } = request;
  const now = manifestOf(deployment.release.resolved, rendered.envNames, wanted);
  const mine = new Set(now.artifacts.map((entry) => entry.name));
  const staying = new Set(stale.filter((file) => !prune || !file.removable).map((file) => file.name));
  const refused = new Set(rendered.refusals.map((refusal) => refusal.artifact));
  const isKept = ({ name }: ManifestEntry): boolean =>
    !mine.has(name) &&
    (only !== null || staying.has(name) || refused.has(name)) &&
    readRenderedFile(place.root, join(place.directory, name)) !== null;
  const kept = (old?.artifacts ?? []).filter(isKept);
  const { release, envNames: names } = only !== null && old !== null ? old : now;
  return {
    release,
    envNames: names,
    artifacts: [...now.artifacts, ...kept].sort((a, b) => compareText(a.name, b.name)),
  };
}
