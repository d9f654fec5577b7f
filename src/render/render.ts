import type { TargetName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { compareText } from "../base/text-order.ts";
import { envExample } from "./env-example.ts";
import type { Rendered, RenderOptions } from "./artifact.ts";
import { publicArtifact } from "./artifact-text.ts";
import { renderTaskDefinitions } from "./aws/task-definitions.ts";
import { renderTfvars } from "./aws/tfvars.ts";
import { renderBringUp } from "./bring-up/bring-up.ts";
import { joinPieces, piece, type Renderer } from "./context.ts";
import { renderCompose } from "./docker/compose.ts";
import { renderEnvFiles } from "./env-files.ts";
import { renderFlyTomls } from "./fly/fly-toml.ts";
import { renderIgnoreFile } from "./ignore-file.ts";
import { manifestArtifact, manifestOf } from "./manifest.ts";
import { renderProjection } from "./projection.ts";
import { refuse } from "./refusal.ts";
import { renderSecretsFiles } from "./secrets-files.ts";
import { renderSlackManifests } from "./slack-manifests.ts";
import { recordedEnvNames } from "./env-names.ts";

/** What each target consumes. */
const BY_TARGET: { readonly [target in TargetName]: readonly Renderer[] } = {
  docker: [renderCompose],
  fly: [renderFlyTomls],
  aws: [renderTaskDefinitions, renderTfvars],
};

/** What every target gets. */
const EVERYWHERE: readonly Renderer[] = [
  renderEnvFiles,
  ({ deployment }) => piece({ artifacts: [publicArtifact(".env.example", envExample(deployment))] }),
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
  if (target === null) return { artifacts: [], refusals: [withoutTarget(deployment)], notes: [], envNames: [] };
  const context = { deployment, target, options };
  const { artifacts, refusals, notes } = joinPieces(
    [...BY_TARGET[target], ...EVERYWHERE].map((render) => render(context)),
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

function withoutTarget(deployment: Deployment) {
  return refuse(deployment, {
    artifact: "manifest.json",
    rule: "render/incomplete",
    path: ["target"],
    message: "no `target` says which files to render",
    help: "set `target` to docker, fly or aws, or pass --target",
  });
}
