import type { TargetName } from "../config/written-config.ts";
import type { Deployment, Workload } from "../deployment/deployment.ts";
import { type DialectName, writeEnv } from "../envfile/index.ts";
import { generatedLines, publicArtifact, type RenderContext, type RenderOutput } from "./artifact.ts";
import { refuseEntries } from "./refusals.ts";

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
  const lead = `The environment of ${workload.name} without its secrets, in ${about}.`;
  const write = (entries: Workload["environment"], leftOut: readonly string[]) =>
    writeEnv(dialect, entries, { header: generatedLines(lead, ...leftOut).join("\n") });
  const refusals = refuseEntries(deployment, workload, artifact);
  if (refusals.length > 0) return refusals;
  const whole = write(workload.environment, []);
  if (whole.ok) return [publicArtifact(artifact, whole.text)];
  // What starts the workload carries any value; this file is for reviews, and for running a workload by hand.
  const names = new Set(whole.refusals.map(({ name }) => name));
  const leftOut = whole.refusals.map(({ reason }) => `Left out: ${reason}.`);
  const rest = write(
    workload.environment.filter(({ name }) => !names.has(name)),
    leftOut,
  );
  const notes = whole.refusals.map(({ reason }) => ({ artifact, message: `left out: ${reason}` }));
  return [...(rest.ok ? [publicArtifact(artifact, rest.text)] : []), ...notes];
}
