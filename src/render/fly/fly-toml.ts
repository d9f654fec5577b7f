import type { Deployment, Workload } from "../../deployment/deployment.ts";
import type { Refusal } from "../artifact.ts";
import { commentLines, generatedLines, publicArtifact } from "../artifact-text.ts";
import { joinPieces, piece, type Piece, type RenderContext } from "../context.ts";
import { refuseDuplicateNames } from "../refuse-duplicate-name.ts";
import { refuseMissingImage } from "../refuse-image.ts";
import { refuse } from "../refusal.ts";
import { flyApp } from "./app.ts";
import { tomlText } from "./toml-text.ts";

/** One `<workload>.fly.toml` per app. */
export function renderFlyTomls({ deployment }: RenderContext): Piece {
  return joinPieces(deployment.workloads.map((workload) => renderOne(deployment, workload)));
}

/** The file of a workload's app. */
export function flyTomlName(workload: string): string {
  return `${workload}.fly.toml`;
}

function renderOne(deployment: Deployment, workload: Workload): Piece {
  const artifact = flyTomlName(workload.name);
  const app = flyApp(deployment, workload);
  const refusals: Refusal[] = [
    ...(workload.image === null && workload.sourceDirectory === null
      ? [refuseMissingImage(deployment, workload, artifact)]
      : []),
    ...broken(deployment, workload, artifact),
    ...refuseDuplicateNames(deployment, workload, artifact, "on Fly the secret would win over `[env]` without a word"),
    ...(app === null ? [noTemplate(deployment, workload, artifact)] : []),
  ];
  if (refusals.length > 0 || app === null) return piece({ refusals });
  const source =
    workload.image === null && workload.sourceDirectory !== null
      ? [`Built by Fly from ${workload.sourceDirectory}/Dockerfile: deploy it from that directory.`]
      : [];
  return piece({
    artifacts: [publicArtifact(artifact, `${commentLines("#", generatedLines(...source))}\n${tomlText(app)}`)],
  });
}

/** TOML is Unicode text: half of a surrogate pair has no encoding. */
function broken(deployment: Deployment, workload: Workload, artifact: string): readonly Refusal[] {
  return workload.environment
    .filter((entry) => !entry.value.isWellFormed() || !entry.name.isWellFormed())
    .map((entry) =>
      refuse(deployment, {
        artifact,
        rule: "render/value-not-carried",
        path: entry.provenance.kind === "config" ? entry.provenance.path : workload.path,
        message: `\`${entry.name}\` of \`${workload.name}\` holds half of a surrogate pair, which fly.toml cannot carry`,
        help: "write the whole character, or leave it out",
      }),
    );
}

function noTemplate(deployment: Deployment, workload: Workload, artifact: string): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/incomplete",
    path: workload.path,
    message: `qm ${deployment.release.resolved} has no Fly app for \`${workload.name}\``,
    help: "this is a gap of qm-deploy: please report it",
  });
}
