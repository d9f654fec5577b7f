import type { Deployment } from "../../../deployment/deployment.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Detail } from "../../../diagnostics/reporters/reporter.ts";
import { type DeploymentView, diagnosticView, type EditView, unreadDeployment } from "../../../diagnostics/view.ts";
import { runRules } from "../../../rules/run-rules.ts";
import { machineNaming, type MachineNaming, SHARED_MACHINES } from "../../../rules/sandbox/machine-names.ts";
import { suppressionAt } from "../../../rules/suppression/suppressions.ts";
import { deploymentView } from "../../../views/deployment-view.ts";
import type { FoundConfig } from "../../../workspace/find-deployments.ts";
import { loadFound, type LoadOptions, sourcesOf } from "../../../workspace/load-deployment.ts";
import { statusOf } from "../../reporting.ts";
import type { fixConfig, FixedDeployment } from "./fix-config.ts";

export type FixMode = "safe" | "all" | null;

/** One deployment of a run, checked, with no more kept of it than reporting needs. */
export interface CheckedDeployment {
  readonly view: DeploymentView;
  /** Texts that its diagnostics point into. */
  readonly sources: ReadonlyMap<string, string>;
  /** What it shares with others that are checked with it. */
  readonly sharing: MachineNaming | null;
  readonly status: number;
  readonly fixed: number;
  /** The fixed text of a config on stdin. */
  readonly text: string | null;
}

/** How to check the deployments of a run. */
export interface CheckOptions extends LoadOptions {
  readonly strict: boolean;
  /** What is shown of the texts, which must be kept for it; null: nothing is. */
  readonly frames: Detail | null;
  readonly fix: FixMode;
  /** Fixes are shown and not applied. */
  readonly isDry: boolean;
}

/** A deployment of which nothing is known but why. */
export function unreadable(problem: Diagnostic, config = problem.file): CheckedDeployment {
  const view = unreadDeployment(config, [diagnosticView(problem)]);
  return { view, sources: new Map(), sharing: null, status: statusOf(view), fixed: 0, text: null };
}

/** Only the texts that a frame can be cut from. */
function neededSources(
  deployment: Deployment,
  diagnostics: readonly Diagnostic[],
  sharing: MachineNaming | null,
  detail: Detail,
): Map<string, string> {
  const drawn = diagnostics.filter(
    ({ severity, suppression }) => suppression === undefined && (detail === "all" || severity !== "info"),
  );
  const places = drawn.flatMap(({ file, range, related = [] }) => [...(range === null ? [] : [{ file }]), ...related]);
  const needed = new Set([...places, ...(sharing === null ? [] : [sharing])].map(({ file }) => file));
  return needed.size === 0 ? new Map() : sourcesOf(deployment, (file) => needed.has(file));
}

function sharingOf(deployment: Deployment): MachineNaming | null {
  const naming = machineNaming(deployment);
  const suppression = naming && suppressionAt(deployment, { rule: SHARED_MACHINES.id, ...naming });
  return suppression == null || naming === null ? naming : { ...naming, suppression };
}

function checked(
  config: FoundConfig,
  { deployment, diagnostics, fixed, edit }: FixedDeployment & { readonly edit?: EditView | null },
  options: CheckOptions,
): CheckedDeployment {
  const judged = deploymentView(deployment, diagnostics, options.strict);
  const view = options.isDry ? { ...judged, edits: edit == null ? [] : [edit] } : judged;
  const sharing = sharingOf(deployment);
  return {
    view,
    sources: options.frames === null ? new Map() : neededSources(deployment, diagnostics, sharing, options.frames),
    sharing,
    status: statusOf(view),
    fixed,
    text: config.path === null && !options.isDry ? deployment.inputs.config.text : null,
  };
}

/** Checks one deployment, and fixes its config where that was asked for. */
export async function checkOne(config: FoundConfig, options: CheckOptions): Promise<CheckedDeployment> {
  const outcome = options.fix === null ? load(config, options) : await fix(config, options, options.fix);
  return "problem" in outcome ? unreadable(outcome.problem, config.file) : checked(config, outcome, options);
}

function load(config: FoundConfig, options: LoadOptions): FixedDeployment | { readonly problem: Diagnostic } {
  const { deployment, problem } = loadFound(config, options);
  return problem === undefined ? { deployment, diagnostics: runRules(deployment), fixed: 0 } : { problem };
}

async function fix(config: FoundConfig, options: CheckOptions, mode: "safe" | "all"): ReturnType<typeof fixConfig> {
  if (options.isDry) return (await import("./preview-fixes.ts")).previewFixes(config, options, mode);
  const { fixConfig } = await import("./fix-config.ts");
  return fixConfig(config, options, mode);
}
