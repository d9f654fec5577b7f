import type { TargetName } from "../config/written-config.ts";
import type { Deployment, Workload } from "../deployment/deployment.ts";
import { type DialectName, writeEnv } from "../envfile/index.ts";
import { generatedLines, publicArtifact, type RenderContext, type RenderOutput } from "./artifact.ts";
import { placeOf, refuseValue } from "./refusals.ts";

/** The dialect of a target's files, and what their header says of it. */
const DIALECTS: { readonly [target in TargetName]: readonly [dialect: DialectName, about: string] } = {
  docker: ["docker", "the literal dialect of `docker run --env-file`: quotes and `$` belong to the value"],
  fly: ["dotenv", "the dotenv dialect, as Node, the dotenv package and qm-deploy read it"],
  aws: ["dotenv", "the dotenv dialect, as Node, the dotenv package and qm-deploy read it"],
};

/** One `<workload>.env` per workload: what it gets apart from secrets, for reviews and for running one by hand. */
export function renderEnvFiles({ deployment, target }: RenderContext): readonly RenderOutput[] {
  return deployment.workloads.flatMap((workload) => renderOne(deployment, target, workload));
}

function renderOne(deployment: Deployment, target: TargetName, workload: Workload): readonly RenderOutput[] {
  const artifact = `${workload.name}.env`;
  const [dialect, about] = DIALECTS[target];
  const header = generatedLines(`The environment of ${workload.name} without its secrets, in ${about}.`).join("\n");
  const written = writeEnv(dialect, workload.environment, { header });
  if (written.ok) return [publicArtifact(artifact, written.text)];
  return written.refusals.map(({ name, reason }) => {
    const entry = workload.environment.find((one) => one.name === name);
    const path = entry === undefined ? workload.path : placeOf(entry, workload);
    return refuseValue(deployment, artifact, path, `${reason} (workload \`${workload.name}\`)`);
  });
}
