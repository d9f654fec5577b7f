import { join } from "node:path";
import { compareText } from "../base/text-order.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { MANIFEST } from "../deployment/rendered-names.ts";
import type { Artifact, Rendered, RenderOptions } from "../render/artifact.ts";
import { TFVARS } from "../render/aws/tfvars.ts";
import {
  type Manifest,
  manifestArtifact,
  manifestOf,
  type ManifestEntry,
  readManifest,
  textHash,
} from "../render/manifest.ts";
import { renderDeployment } from "../render/render.ts";
import { secretsWithValue } from "../render/secrets.ts";
import {
  asCommitted,
  leftoverSecrets,
  readRenderedFile,
  type RenderedDirectory,
  type RenderedFile,
} from "./rendered-directory.ts";

export interface RenderRequest {
  readonly deployment: Deployment;
  readonly output: RenderedDirectory;
  readonly options: Pick<RenderOptions, "secrets" | "withOptional" | "bind">;
  /** Names of artifacts; null: all. */
  readonly only: readonly string[] | null;
  readonly prune: boolean;
}

/** One artifact against what lies there. */
export interface PlannedArtifact {
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
  /** What it holds. */
  readonly text: string;
}

/** Everything that a run of `render` decides before it writes. */
export interface RenderPlan {
  /** Sorted by name; `manifest.json` is last to be written. */
  readonly files: readonly PlannedArtifact[];
  readonly stale: readonly StaleFile[];
  readonly refusals: Rendered["refusals"];
  readonly notes: Rendered["notes"];
  /** Names of `only` that this deployment has not, and all that it has. */
  readonly unknown: readonly string[];
  readonly names: readonly string[];
  readonly rendering: Rendering;
}

/** What was rendered, with the two texts on disk that shape it. */
interface Rendering {
  readonly rendered: Rendered;
  /** All that it was rendered with. */
  readonly options: RenderOptions;
  readonly manifest: string | null;
  readonly tfvars: string | null;
}

/**
 * Renders a deployment and compares it with what lies there. Reads only. `earlier` is a plan of the same request: what it
 * rendered serves again, and only the comparison is made anew.
 *
 * @throws {WriteRefused} where a link stands in the way
 */
export function planRender(request: RenderRequest, earlier?: RenderPlan): RenderPlan {
  const { deployment, output, only } = request;
  const rendering = render(request, earlier?.rendering);
  const { rendered } = rendering;
  const old = rendering.manifest === null ? null : readManifest(rendering.manifest);
  const isWanted = (name: string): boolean => only === null || only.includes(name);
  const wanted = rendered.artifacts.filter((artifact) => artifact.name !== MANIFEST && isWanted(artifact.name));
  const stale = only === null ? staleFiles(output, rendered, old) : [];
  const hashes = new Map(old?.artifacts.map((entry) => [entry.name, entry.sha256]));
  const manifest = manifestArtifact(mergeManifests(request, rendered, wanted, old, stale));
  const files = [...wanted, manifest].map((artifact) => compare(output, artifact, hashes.get(artifact.name) ?? null));
  const names = [...rendered.artifacts.map(({ name }) => name), ...rendered.refusals.map(({ artifact }) => artifact)];
  return {
    rendering,
    files: files.sort((a, b) => compareText(a.artifact.name, b.artifact.name)),
    stale,
    refusals: rendered.refusals.filter((refusal) => isWanted(refusal.artifact)),
    notes: [
      ...rendered.notes.filter((note) => isWanted(note.artifact)),
      ...(only === null ? leftoverSecrets(deployment, output) : []),
    ],
    unknown: (only ?? []).filter((name) => !names.includes(name)),
    names: [...new Set(names)].sort(compareText),
  };
}

function render({ deployment, output, options }: RenderRequest, earlier: Rendering | undefined): Rendering {
  const manifest = readRenderedFile(output.root, join(output.path, MANIFEST))?.text ?? null;
  const tfvars = deployment.target === "aws" ? operatorTfvars(output) : null;
  if (earlier?.manifest === manifest && earlier.tfvars === tfvars) return earlier;
  const remembered = manifest === null ? null : readManifest(manifest);
  const all: RenderOptions = {
    ...options,
    toDeployment: output.toDeployment,
    place: output.fromDeployment,
    secretsWithValue: new Set(secretsWithValue(deployment) ?? remembered?.envNames),
    existingTfvars: tfvars,
  };
  return { rendered: renderDeployment(deployment, all), options: all, manifest, tfvars };
}

/** The operator's values: of the rendered file, else of the module that `qm init` made. */
function operatorTfvars({ root, path, deployment }: RenderedDirectory): string | null {
  const file =
    readRenderedFile(root, join(path, TFVARS)) ?? readRenderedFile(deployment, join(deployment, "infra", TFVARS));
  return file === null ? null : asCommitted(file.text);
}

function compare({ root, path }: RenderedDirectory, artifact: Artifact, hash: string | null): PlannedArtifact {
  const found = readRenderedFile(root, join(path, artifact.name));
  // What holds secrets is in no commit, and a shell would take a carriage return for a part of the value.
  const before = found === null || artifact.secret ? found : { ...found, text: asCommitted(found.text) };
  const isOpen = artifact.secret && process.platform !== "win32" && before !== null && (before.mode & 0o077) !== 0;
  const change = before === null ? "new" : before.text === artifact.text && !isOpen ? "unchanged" : "changed";
  const edited = before !== null && change === "changed" && hash !== null && textHash(before.text) !== hash;
  return { artifact, before, change, edited };
}

function staleFiles({ root, path }: RenderedDirectory, rendered: Rendered, old: Manifest | null): readonly StaleFile[] {
  const { artifacts, refusals } = rendered;
  const known = new Set([...artifacts.map((one) => one.name), ...refusals.map((one) => one.artifact)]);
  return (old?.artifacts ?? []).flatMap(({ name, sha256 }) => {
    const file = known.has(name) ? null : readRenderedFile(root, join(path, name));
    return file === null
      ? []
      : [{ name, removable: sha256 !== null && textHash(asCommitted(file.text)) === sha256, text: file.text }];
  });
}

/** What is ours afterwards: what this run renders, and what earlier runs rendered and this one leaves alone. */
function mergeManifests(
  { deployment, only, prune, output }: RenderRequest,
  rendered: Rendered,
  wanted: readonly Artifact[],
  old: Manifest | null,
  stale: readonly StaleFile[],
): Manifest {
  const now = manifestOf(deployment.release.resolved, rendered.envNames, wanted);
  const mine = new Set(now.artifacts.map((entry) => entry.name));
  const staying = new Set(stale.filter((file) => !prune || !file.removable).map((file) => file.name));
  const refused = new Set(rendered.refusals.map((refusal) => refusal.artifact));
  const isKept = ({ name }: ManifestEntry): boolean =>
    !mine.has(name) &&
    (only !== null || staying.has(name) || refused.has(name)) &&
    readRenderedFile(output.root, join(output.path, name)) !== null;
  const { release, envNames: names } = only !== null && old !== null ? old : now;
  const artifacts = [...now.artifacts, ...(old?.artifacts ?? []).filter(isKept)];
  return { release, envNames: names, artifacts: artifacts.sort((a, b) => compareText(a.name, b.name)) };
}
