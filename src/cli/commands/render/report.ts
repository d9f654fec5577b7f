import { closestName } from "../../../base/closest-name.ts";
import type { Shown } from "../../../base/shown.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { diagnosticView, unreadDeployment } from "../../../diagnostics/view.ts";
import { isCommittedSecret, isToolkitFault } from "../../../rules/blocking.ts";
import { deploymentView } from "../../../views/deployment-view.ts";
import { sourcesOf } from "../../../workspace/load-deployment.ts";
import type { RenderPlan } from "../../../workspace/render-plan.ts";
import { INTERNAL, PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { printError } from "../../output.ts";
import type { ProcessIo } from "../../process-io.ts";
import { type Reported, reportRun, statusOf } from "../../reporting.ts";
import { type FleetMember, fleetText, memberLine, countResults, changes, type Result } from "./fleet-text.ts";
import { drifts, jsonOutcome, jsonProblem, type Outcome } from "./outcome.ts";

/** Why names of `--only` are refused. */
export function unknownNames({ unknown, names }: RenderPlan): string {
  const name = unknown[0] ?? "";
  if (name.includes(".secrets.") && !names.includes(name))
    return `there is no artifact "${name}" without --secrets, or its workload has no secrets`;
  const near = closestName(name, names);
  return `there is no artifact "${name}"${near === null ? "" : `; did you mean "${near}"?`} (there are: ${names.join(", ")})`;
}

/** What can be done about findings that stop it. */
export function wayOn(findings: readonly Diagnostic[]): string {
  if (findings.some(isCommittedSecret))
    return ": rendered files are committed, and a secret would be in them; --force does not change that";
  return findings.length > 0 ? "; --force renders what can be" : "";
}

/** A missing secret or image stops several artifacts; people read of it once. */
export function saidOnce(refusals: RenderPlan["refusals"]): readonly Diagnostic[] {
  return [...new Map(refusals.map((refusal) => [`${refusal.rule} ${refusal.message}`, refusal])).values()];
}

/** What is kept of a deployment once it was rendered: no artifact, as there may be thousands. */
export interface Rendered extends FleetMember, Reported {
  readonly status: number;
  /** What `--format json` says of it; null for people. */
  readonly json: object | null;
  /** What people see of its files, beside the one line among several. */
  readonly text: Shown | null;
  /** Why it was not rendered, where no finding says so. */
  readonly error: string | null;
}

/** What is kept of a deployment that could not be read or written. */
export function ofProblem(problem: Diagnostic, file: string): Rendered {
  const view = unreadDeployment(file, [diagnosticView(problem)]);
  const json = jsonProblem(problem, file);
  const nothing = { line: null, notes: [], sources: new Map<string, string>(), text: null, error: null };
  return { ...nothing, view, json, status: statusOf(view), result: "unreadable" };
}

function resultOf(outcome: Outcome): Result {
  const { plan, action, ok } = outcome;
  if (plan !== null && action === "check" && drifts(plan)) return "differs";
  if (!ok || plan === null) return "refused";
  return changes(outcome) ? "written" : "same";
}

/** What is kept of a deployment. `hasJson`: a program reads; `textOf`: what people see of its files. */
export function ofOutcome(
  outcome: Outcome,
  hasJson: boolean,
  textOf: (outcome: Outcome, plan: RenderPlan) => Shown | null,
): Rendered {
  const { deployment, findings, plan, ok, action } = outcome;
  const said = [...findings, ...saidOnce(plan?.refusals ?? [])];
  const unknown = plan === null || plan.unknown.length === 0 ? null : unknownNames(plan);
  const nothing = action === "nothing" ? `nothing was rendered${wayOn(findings)}` : null;
  const isFault = findings.some(isToolkitFault);
  return {
    result: resultOf(outcome),
    line: memberLine(outcome),
    notes: plan?.notes.map(({ artifact, message }) => ({ artifact, message })) ?? [],
    view: deploymentView(deployment, said, false),
    sources: said.length === 0 ? new Map() : sourcesOf(deployment),
    status: isFault ? INTERNAL : unknown !== null ? USAGE : ok ? PASSED : PROBLEMS,
    json: hasJson ? jsonOutcome(outcome) : null,
    text: plan === null || unknown !== null ? null : textOf(outcome, plan),
    error: unknown ?? nothing,
  };
}

/** The one object of `--format json`; see docs/json.md. */
export function jsonRun(rendered: readonly Rendered[]): object {
  const counts = countResults(rendered);
  const summary = { deployments: rendered.length, ...Object.fromEntries(counts) };
  const ok = rendered.every(({ status }) => status === PASSED);
  return { version: 2, ok, summary, deployments: rendered.map(({ json }) => json) };
}

/** Findings and reasons go to stderr, what became of the files to stdout. */
export async function reportRendered(io: ProcessIo, rendered: readonly Rendered[], palette: Palette): Promise<void> {
  if (rendered.some(({ view }) => view.diagnostics.length > 0))
    await reportRun(io, rendered, { output: io.stderr, isPart: true });
  for (const { text } of rendered) if (text !== null) io.stdout.write(text);
  const errors = rendered.flatMap(({ error }) => (error === null ? [] : [error]));
  for (const error of new Set(errors)) {
    const count = errors.filter((one) => one === error).length;
    printError(io, count === 1 ? error : `in ${count} deployments ${error}`);
  }
  if (rendered.length > 1) io.stdout.write(fleetText(rendered, palette));
}
