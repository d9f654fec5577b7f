import type { Deployment } from "../../../deployment/deployment.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { judgedStatus, type DeploymentStatus, type DriftState, type RenderedState } from "../../../views/status.ts";
import { planRender, type RenderRequest } from "../../../workspace/render-plan.ts";
import { writeFailure } from "../../../workspace/write-file.ts";
import { hasOption, type Invocation } from "../../command-definition.ts";
import { compareLive } from "../drift/compare.ts";
import { renderOptionsOf } from "../render/flags.ts";
import { drifts } from "../render/outcome.ts";
import { notWritten, requestOf } from "../render/render-one.ts";

/** One deployment of a run: where it stands, or why nothing is known of it. */
export type Member =
  | {
      readonly deployment: Deployment;
      readonly directory: string;
      readonly status: DeploymentStatus;
      readonly problem: null;
    }
  | { readonly deployment: null; readonly config: string; readonly problem: Diagnostic };

/** Where a deployment stands. */
export async function stateOf(invocation: Invocation, deployment: Deployment): Promise<Member> {
  const options = renderOptionsOf(invocation);
  const flags = { check: true, force: false, prune: false, only: null, out: undefined, options };
  const { request, isRefused } = requestOf(deployment, flags, invocation.io.cwd);
  const directory = request.output.shown;
  try {
    const rendered = isRefused ? "refused" : renderedState(request);
    const drift = hasOption(invocation, "drift") && !isRefused ? await driftState(invocation, request) : null;
    return { deployment, directory, status: { ...judgedStatus(deployment), rendered, drift }, problem: null };
  } catch (error) {
    const reason = writeFailure(error);
    if (reason === null) throw error;
    return { deployment: null, config: deployment.inputs.config.file, problem: notWritten(directory, reason) };
  }
}

function renderedState(request: RenderRequest): RenderedState {
  const plan = planRender(request);
  if (plan.refusals.length > 0) return "partial";
  if (plan.files.every(({ change }) => change === "new")) return "none";
  return drifts(plan) ? "stale" : "current";
}

async function driftState(invocation: Invocation, request: RenderRequest): Promise<DriftState> {
  const compared = await compareLive(invocation, request);
  if ("problem" in compared) return { unknown: compared.problem.message };
  const { findings } = compared;
  const gone = findings.filter(({ kind }) => kind === "missing" || kind === "empty");
  return { differences: findings.length, runs: gone.length < request.deployment.workloads.length };
}
