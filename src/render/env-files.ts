import type { Deployment, Workload } from "../deployment/deployment.ts";
import type { TargetName } from "../config/written-config.ts";
import { type DialectName, writeEnv } from "../envfile/index.ts";
import { generatedLines, publicArtifact } from "./artifact-text.ts";
import { joinPieces, piece, type Piece, type RenderContext } from "./context.ts";
import { refuseValue, placeOf } from "./refuse-value.ts";

/** Who reads the files of a target, and what the header says of it. */
const READERS: { readonly [target in TargetName]: { readonly dialect: DialectName; readonly says: string } } = {
  docker: {
    dialect: "docker",
    says: "the literal dialect of `docker run --env-file`: quotes and `$` belong to the value",
  },
  fly: { dialect: "dotenv", says: "the dotenv dialect, as Node, the dotenv package and qm-deploy read it" },
  aws: { dialect: "dotenv", says: "the dotenv dialect, as Node, the dotenv package and qm-deploy read it" },
};

/** The file of a workload's environment. */
function envFileName(workload: string): string {
  return `${workload}.env`;
}

/** One `<workload>.env` per workload: what it gets apart from secrets, for reviews and for running one by hand. */
export function renderEnvFiles({ deployment, target }: RenderContext): Piece {
  return joinPieces(deployment.workloads.map((workload) => renderOne(deployment, target, workload)));
}

function renderOne(deployment: Deployment, target: TargetName, workload: Workload): Piece {
  const artifact = envFileName(workload.name);
  const { dialect, says } = READERS[target];
  const header = generatedLines(`The environment of ${workload.name} without its secrets, in ${says}.`).join("\n");
  const written = writeEnv(dialect, workload.environment, { header });
  if (written.ok) return piece({ artifacts: [publicArtifact(artifact, written.text)] });
  const entries = new Map(workload.environment.map((entry) => [entry.name, entry]));
  return piece({
    refusals: written.refusals.map(({ name, reason }) =>
      refuseValue(
        deployment,
        artifact,
        placeOf(entries.get(name), workload),
        `${reason} (workload \`${workload.name}\`)`,
      ),
    ),
  });
}
