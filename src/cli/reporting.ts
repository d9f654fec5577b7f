import { relative, resolve } from "node:path";
import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Reporter, ReporterOptions } from "../diagnostics/reporters/reporter.ts";
import { type DeploymentView, diagnosticView, runView, unreadDeployment } from "../diagnostics/view.ts";
import { isToolkitFault } from "../rules/blocking.ts";
import { ruleInfo, ruleRegistry } from "../rules/registry.ts";
import { deploymentView } from "../views/deployment-view.ts";
import { sourcesOf } from "../workspace/load-deployment.ts";
import { isInside, realPath, repositoryRoot, STDIN_NAME, withSlashes } from "../workspace/paths.ts";
import { INTERNAL, PASSED, PROBLEMS, USAGE } from "./exit-status.ts";
import { paletteFor, usageError } from "./output.ts";
import type { Output, ProcessIo } from "./process-io.ts";
import { VERSION } from "./version.ts";

type Make = (options: ReporterOptions) => Reporter;

/** The formats of `check`; each reporter is loaded when it is asked for. */
const REPORTERS: { readonly [format: string]: () => Promise<Make> } = {
  pretty: async () => (await import("../diagnostics/reporters/pretty.ts")).prettyReporter,
  json: async () => (await import("../diagnostics/reporters/json.ts")).jsonReporter,
  github: async () => (await import("../diagnostics/reporters/github.ts")).githubReporter,
  sarif: async () => (await import("../diagnostics/reporters/sarif.ts")).sarifReporter,
  junit: async () => (await import("../diagnostics/reporters/junit.ts")).junitReporter,
};

/** Room that the gutter of a frame takes. */
const GUTTER = 12;

/** The formats that a host of code reads: it knows files from the root of the checkout, not from the working directory of a step. */
const HOSTED: ReadonlySet<string> = new Set(["github", "sarif"]);

/** Names files as they are called from the root of the checkout, links followed; what is outside of it keeps its name. */
function namesFromRoot({ cwd, env: { GITHUB_WORKSPACE = "" } }: ProcessIo): (file: string) => string {
  const workspace = GITHUB_WORKSPACE === "" ? null : realPath(GITHUB_WORKSPACE);
  const root = workspace !== null && isInside(cwd, workspace) ? workspace : repositoryRoot(cwd);
  return (file) => {
    if (root === null || file === STDIN_NAME) return file;
    const path = resolve(cwd, file);
    const inside = [realPath(path), path].find((one) => one !== null && isInside(one, root));
    return inside == null ? file : withSlashes(relative(root, inside));
  };
}

/** A fresh reporter of a format, for a stream. */
export async function makeReporter(
  format: string,
  io: ProcessIo,
  output: Output,
  { strict = false, showSuppressed = false }: { readonly strict?: boolean; readonly showSuppressed?: boolean } = {},
): Promise<Reporter> {
  const make = await (REPORTERS[format] as () => Promise<Make>)();
  return make({
    strict,
    showSuppressed,
    version: VERSION,
    columns: Math.min(160, Math.max(50, (output.columns ?? 112) - GUTTER)),
    palette: await paletteFor(io, output),
    rules: ruleRegistry(),
    fileName: HOSTED.has(format) ? namesFromRoot(io) : (file) => file,
  });
}

/** Reports one deployment as `check` would. */
export async function reportDeployment(
  io: ProcessIo,
  view: DeploymentView,
  {
    format = "pretty",
    output = io.stdout,
    sources,
  }: { format?: string | undefined; output?: Output; sources?: ReadonlyMap<string, string> },
): Promise<void> {
  const reporter = await makeReporter(format, io, output);
  const text = reporter.add?.(view, (file) => sources?.get(file));
  if (text !== undefined) output.write(text);
  for (const rest of reporter.end(runView([view], 0))) output.write(rest);
}

/** Shows some diagnostics of a deployment on stderr. */
export async function printDiagnostics(
  io: ProcessIo,
  deployment: Deployment,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  if (diagnostics.length === 0) return;
  const view = deploymentView(deployment, diagnostics, false);
  await reportDeployment(io, view, { output: io.stderr, sources: sourcesOf(deployment) });
}

/** Reports an input that could not be used, on stderr for people and on stdout for programs; resolves to the exit status. */
export async function reportInputProblem(io: ProcessIo, problem: Diagnostic, json = false): Promise<number> {
  const view = unreadDeployment(problem.file, [diagnosticView(problem)]);
  await reportDeployment(io, view, json ? { format: "json" } : { output: io.stderr });
  return USAGE;
}

/** The exit status that a deployment asks for. */
export function statusOf({ ok, diagnostics }: DeploymentView): number {
  if (diagnostics.some(isToolkitFault)) return INTERNAL;
  if (diagnostics.some(({ rule }) => ruleInfo(rule).concerns === "input")) return USAGE;
  return ok ? PASSED : PROBLEMS;
}

/** Runs work that writes a file; what the file system or a rule of ours about writing says is reported, anything else is a fault of ours. */
export async function reportWriteErrors(io: ProcessIo, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const { writeFailure } = await import("../workspace/write-file.ts");
    const reason = writeFailure(error);
    if (reason === null) throw error;
    return usageError(io, `nothing was written: ${reason}`);
  }
}
