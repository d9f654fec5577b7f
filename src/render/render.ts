import { groupBy } from "../base/group-by.ts";
import { compareText } from "../base/text-order.ts";
import type { TargetName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { MANIFEST } from "../deployment/rendered-names.ts";
import { findEnvConflicts } from "../deployment/env-conflicts.ts";
import {
  type Artifact,
  generatedHeader,
  isRefusal,
  publicArtifact,
  type Refusal,
  type RenderContext,
  type Rendered,
  type Renderer,
  type RenderNote,
  type RenderOptions,
  type RenderOutput,
} from "./artifact.ts";
import { renderTaskDefinitions } from "./aws/task-definition.ts";
import { renderTfvars } from "./aws/tfvars.ts";
import { renderBringUp } from "./bring-up/bring-up.ts";
import { renderCompose } from "./docker/compose.ts";
import { renderEnvExample } from "./env-example.ts";
import { renderEnvFiles } from "./env-files.ts";
import { renderFlyTomls } from "./fly-toml.ts";
import { manifestArtifact, manifestOf, recordedEnvNames } from "./manifest.ts";
import { renderProjection } from "./projection.ts";
import { refuse } from "./refusals.ts";
import { secretsByWorkload } from "./secrets.ts";
import { renderSecretsFiles } from "./secrets-files.ts";
import { renderSlackManifests } from "./slack-manifests.ts";

const BY_TARGET: { readonly [target in TargetName]: readonly Renderer[] } = {
  docker: [renderCompose],
  fly: [renderFlyTomls],
  aws: [renderTaskDefinitions, renderTfvars],
};

const EVERYWHERE: readonly Renderer[] = [
  renderEnvFiles,
  renderEnvExample,
  renderSlackManifests,
  renderProjection,
  renderSecretsFiles,
  renderBringUp,
  renderIgnoreFile,
];

/**
 * Renders every file that the deployment's target needs. Pure: the same deployment and options give the same bytes. What
 * cannot be rendered is refused by name and the rest is still there.
 */
export function renderDeployment(deployment: Deployment, options: RenderOptions): Rendered {
  const { target } = deployment;
  if (target === null) return { artifacts: [], refusals: [refuseWithoutTarget(deployment)], notes: [], envNames: [] };
  const context = renderContext(deployment, target, options);
  const { artifacts, refusals, notes } = sortOutputs(
    [...BY_TARGET[target], ...EVERYWHERE].flatMap((render) => render(context)),
  );
  const envNames = recordedEnvNames(context);
  const manifest = manifestArtifact(manifestOf(deployment.release.resolved, envNames, artifacts));
  return {
    artifacts: [...artifacts, manifest].sort((a, b) => compareText(a.name, b.name)),
    refusals: refusals.toSorted((a, b) => compareText(a.artifact, b.artifact)),
    envNames,
    notes: notes.toSorted((a, b) => compareText(a.artifact, b.artifact)),
  };
}

/** What renderers get of a deployment for a target. */
export function renderContext(deployment: Deployment, target: TargetName, options: RenderOptions): RenderContext {
  return {
    deployment,
    target,
    options,
    secrets: secretsByWorkload(deployment),
    conflicts: groupBy(findEnvConflicts(deployment), ({ workload }) => workload.name),
  };
}

/** What renderers said, by kind. */
export function sortOutputs(outputs: readonly RenderOutput[]): Omit<Rendered, "envNames"> {
  const artifacts: Artifact[] = [];
  const refusals: Refusal[] = [];
  const notes: RenderNote[] = [];
  for (const output of outputs) {
    if ("text" in output) artifacts.push(output);
    else if (isRefusal(output)) refusals.push(output);
    else notes.push(output);
  }
  return { artifacts, refusals, notes };
}

/**
 * Keeps secret values, and what an interrupted render leaves, out of the commits that the rest is meant for. First it takes
 * back what is ignored further up: `*.env` and `*.tfvars` are in many a .gitignore, and what they hide here is never committed.
 */
function renderIgnoreFile(): readonly RenderOutput[] {
  return [
    publicArtifact(".gitignore", `${generatedHeader("#")}!*\n*.secrets.*\n.render-*.tmp/\n.manifest.json.lock*\n`),
  ];
}

function refuseWithoutTarget(deployment: Deployment): Refusal {
  return refuse(deployment, {
    artifact: MANIFEST,
    rule: "render/incomplete",
    path: ["target"],
    message: "no `target` says which files to render",
    help: "set `target` to docker, fly or aws, or pass --target",
  });
}
