import { relative, resolve } from "node:path";
import { joined, type Shown } from "../base/shown.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Detail, Reporter, ReporterOptions, SourceLookup } from "../diagnostics/reporters/reporter.ts";
import { type DeploymentView, diagnosticView, runView, unreadDeployment } from "../diagnostics/view.ts";
import { isToolkitFault } from "../rules/blocking.ts";
import { ruleInfo, ruleRegistry } from "../rules/registry.ts";
import { deploymentView } from "../views/deployment-view.ts";
import { sourcesOf } from "../workspace/load-deployment.ts";
import { isInside, realPath, repositoryRoot, STDIN_NAME, withSlashes } from "../workspace/paths.ts";
import { INTERNAL, PASSED, PROBLEMS, USAGE } from "./exit-status.ts";
import { paletteFor, usageError } from "./output.ts";
import { hasOption, type Invocation, textOption } from "./command-definition.ts";
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

/** The formats that a host of code reads: it knows files from the root of the checkout, not from the working directory of a step. */
const HOSTED: ReadonlySet<string> = new Set(["github", "sarif"]);

/** Names files as they are called from the root of the checkout, links followed; what is outside of it keeps its name. */
export function namesFromRoot({ cwd, env: { GITHUB_WORKSPACE = "" } }: ProcessIo): (file: string) => string {
  const workspace = GITHUB_WORKSPACE === "" ? null : realPath(GITHUB_WORKSPACE);
  const root = workspace !== null && isInside(cwd, workspace) ? workspace : repositoryRoot(cwd);
  return (file) => {
    if (root === null || file === STDIN_NAME) return file;
    const path = resolve(cwd, file);
    const inside = [realPath(path), path].find((one) => one !== null && isInside(one, root));
    return inside == null ? file : withSlashes(relative(root, inside));
  };
}

/** How a run is reported. */
export interface ReportOptions {
  /** "pretty" where it is not said. */
  readonly format?: string | undefined;
  readonly strict?: boolean;
  readonly showSuppressed?: boolean;
  /** "normal" where it is not said. */
  readonly detail?: Detail;
  /** True: how many of several deployments failed is said by the command. */
  readonly isPart?: boolean;
  /** The command that shows everything; `check --all` where it is not said. */
  readonly inFull?: string;
  /** stdout where it is not said. */
  readonly output?: Output;
}

/** What the options of a command say about its report; what is wrong with them, where they do not go together. */
export function reportFlags(
  invocation: Invocation,
): (ReportOptions & { readonly format: string; readonly detail: Detail }) | string {
  const format = textOption(invocation, "format") ?? "pretty";
  const [isQuiet, isAll] = [hasOption(invocation, "quiet"), hasOption(invocation, "all")];
  if (isQuiet && isAll) return "--quiet shows less and --all shows more: give one of them";
  if ((isQuiet || isAll) && format !== "pretty")
    return "--quiet and --all are for people: another --format always has every finding";
  return {
    format,
    strict: hasOption(invocation, "strict"),
    showSuppressed: hasOption(invocation, "show-suppressed"),
    detail: isQuiet ? "quiet" : isAll ? "all" : "normal",
  };
}

/** A reporter of a format, for a stream. */
async function makeReporter(io: ProcessIo, options: ReportOptions): Promise<Reporter> {
  const { format = "pretty", strict = false, showSuppressed = false, detail = "normal", output = io.stdout } = options;
  const make = await (REPORTERS[format] as () => Promise<Make>)();
  return make({
    strict,
    showSuppressed,
    detail,
    isPart: options.isPart === true,
    inFull: options.inFull ?? "qm-deploy check --all",
    version: VERSION,
    columns: Math.min(172, Math.max(62, output.columns ?? 112)),
    palette: await paletteFor(io, output),
    rules: ruleRegistry(),
    fileName: HOSTED.has(format) ? namesFromRoot(io) : (file) => file,
  });
}

/** What a report says of one deployment. */
export interface Reported {
  readonly view: DeploymentView;
  /** Texts that its diagnostics point into, by the names that they use. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Characters that are written at once: a write for each of thousands of deployments costs as much as reading one. */
const WRITTEN_AT_ONCE = 65_536;

/** Reports a run over deployments; `fixed` counts the fixes that were applied. */
export async function reportRun(
  io: ProcessIo,
  reported: readonly Reported[],
  options: ReportOptions = {},
  fixed = 0,
): Promise<void> {
  const reporter = await makeReporter(io, options);
  const output = options.output ?? io.stdout;
  const byFile = new Map(reported.map(({ view, sources }) => [view.config, sources]));
  // What a finding shares with another deployment is in a file of that one.
  const source: SourceLookup = ({ config }, file) => byFile.get(config)?.get(file) ?? byFile.get(file)?.get(file);
  let waiting: Shown[] = [];
  let length = 0;
  const flush = (): void => {
    if (length > 0) output.write(joined(waiting));
    waiting = [];
    length = 0;
  };
  for (const text of reporter(
    runView(
      reported.map(({ view }) => view),
      fixed,
    ),
    source,
  )) {
    waiting.push(text);
    length += text.text.length;
    if (length > WRITTEN_AT_ONCE) flush();
  }
  flush();
}

/** Shows some diagnostics of a deployment on stderr. */
export async function printDiagnostics(
  io: ProcessIo,
  deployment: Deployment,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  if (diagnostics.length === 0) return;
  const view = deploymentView(deployment, diagnostics, false);
  await reportRun(io, [{ view, sources: sourcesOf(deployment) }], { output: io.stderr });
}

/** Reports an input that could not be used, on stderr for people and on stdout for programs; resolves to the exit status. */
export async function reportInputProblem(io: ProcessIo, problem: Diagnostic, json = false): Promise<number> {
  const view = unreadDeployment(problem.file, [diagnosticView(problem)]);
  await reportRun(io, [{ view, sources: new Map() }], json ? { format: "json" } : { output: io.stderr });
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
