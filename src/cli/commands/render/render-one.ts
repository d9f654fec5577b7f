import type { Deployment } from "../../../deployment/deployment.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { inputProblem } from "../../../diagnostics/input-problem.ts";
import type { RenderOptions } from "../../../render/artifact.ts";
import { blockingDiagnostics, isCommittedSecret } from "../../../rules/blocking.ts";
import { runRules } from "../../../rules/run-rules.ts";
import { planRender, type RenderPlan, type RenderRequest } from "../../../workspace/render-plan.ts";
import { renderedDirectory } from "../../../workspace/rendered-directory.ts";
import { writeRender } from "../../../workspace/render-write.ts";
import { writeFailure } from "../../../workspace/write-file.ts";
import { drifts, type Outcome } from "./outcome.ts";

/** What `render` is to do with each deployment. */
export interface RenderFlags {
  readonly check: boolean;
  readonly force: boolean;
  readonly prune: boolean;
  /** Names of artifacts; null: all. */
  readonly only: readonly string[] | null;
  /** As `--out`. */
  readonly out: string | undefined;
  readonly options: Pick<RenderOptions, "secrets" | "withOptional" | "bind">;
}

/** Errors of `check` that speak against rendering. */
function refusing(deployment: Deployment, { options }: RenderFlags): readonly Diagnostic[] {
  const operation = options.secrets ? "render --secrets" : "render";
  return blockingDiagnostics(operation, runRules(deployment), deployment);
}

/** What is to be rendered; null where nothing may be, whatever the flags say. */
export function requestOf(
  deployment: Deployment,
  flags: RenderFlags,
  cwd: string,
): { readonly request: RenderRequest; readonly findings: readonly Diagnostic[]; readonly isRefused: boolean } {
  const { target, inputs } = deployment;
  const findings = refusing(deployment, flags);
  const output = renderedDirectory(inputs.directory ?? ".", target ?? "docker", flags.out, cwd);
  const { options, only, prune } = flags;
  const isRefused = target === null || (findings.length > 0 && !flags.force) || findings.some(isCommittedSecret);
  return { request: { deployment, output, options, only, prune }, findings, isRefused };
}

/** Renders one deployment, or compares it with what lies there. */
export async function renderOne(
  deployment: Deployment,
  flags: RenderFlags,
  cwd: string,
): Promise<Outcome | { readonly problem: Diagnostic }> {
  const { request, findings, isRefused } = requestOf(deployment, flags, cwd);
  const base = { deployment, findings, prune: flags.prune, shown: request.output.shown };
  if (isRefused) return { ...base, plan: null, action: "nothing", ok: false };
  const isFit = (plan: RenderPlan): boolean => plan.unknown.length === 0 && (plan.refusals.length === 0 || flags.force);
  try {
    const plan = flags.check ? planRender(request) : await writeRender(request, isFit);
    const ok = plan.unknown.length === 0 && plan.refusals.length === 0 && (!flags.check || !drifts(plan));
    return { ...base, plan, action: flags.check ? "check" : isFit(plan) ? "write" : "nothing", ok };
  } catch (error) {
    const reason = writeFailure(error);
    if (reason === null) throw error;
    return { problem: notWritten(request.output.shown, reason) };
  }
}

/** A file or directory that cannot be looked at or written. */
export function notWritten(file: string, reason: string): Diagnostic {
  const help = "what lay there is as it was; make room for it, or name another directory with --out";
  return inputProblem("unwritable", file, `nothing was written: ${reason}`, help);
}
