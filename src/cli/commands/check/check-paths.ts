import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { compareText } from "../../../base/text-order.ts";
import type { Reporter } from "../../../diagnostics/reporters/reporter.ts";
import { type DeploymentView, diagnosticView, isFailing, runView } from "../../../diagnostics/view.ts";
import { findSharedMachines } from "../../../rules/shared-machines.ts";
import { findDeployments, type Found } from "../../../workspace/find-deployments.ts";
import type { ParentCache } from "../../../workspace/package-files.ts";
import { MAX_TEXT_BYTES, textOf } from "../../../workspace/read-file.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { type ProcessIo, type Output, readStdin } from "../../process-io.ts";
import { type CheckedDeployment, checkOne, type CheckOptions, unreadable } from "./check-one.ts";
import { progressLine } from "./progress.ts";

/** What one run over all paths came to. */
export interface CheckResult {
  readonly judged: readonly CheckedDeployment[];
  readonly status: number;
}

async function readText(io: ProcessIo, found: Found): Promise<{ text: string } | { problem: Diagnostic }> {
  const stdin = found.configs.find(({ path }) => path === null);
  return stdin === undefined ? { text: "" } : textOf(await readStdin(io, MAX_TEXT_BYTES), stdin.file);
}

/** Adds the findings that only show when deployments are seen together to those of each. */
function withShared(judged: CheckedDeployment[], strict: boolean): CheckedDeployment[] {
  const sharing = judged.map((one) => one.sharing).filter((one) => one !== null);
  if (sharing.length < 2) return judged;
  const shared = new Map<string, Diagnostic[]>();
  for (const diagnostic of findSharedMachines(sharing)) {
    const known = shared.get(diagnostic.file);
    if (known === undefined) shared.set(diagnostic.file, [diagnostic]);
    else known.push(diagnostic);
  }
  return judged.map((one) => {
    const more = shared.get(one.view.config);
    if (more === undefined) return one;
    const diagnostics = [...one.view.diagnostics, ...more.map(diagnosticView)].sort(
      (a, b) => compareText(a.file, b.file) || (a.range?.start.offset ?? -1) - (b.range?.start.offset ?? -1),
    );
    const ok = !diagnostics.some(({ severity }) => isFailing(severity, strict));
    return { ...one, view: { ...one.view, ok, diagnostics }, status: Math.max(one.status, ok ? PASSED : PROBLEMS) };
  });
}

/** Judges every deployment that the paths stand for. */
export async function checkPaths(
  io: ProcessIo,
  paths: readonly string[],
  options: Omit<CheckOptions, "cwd" | "stdin" | "parents">,
): Promise<CheckResult> {
  const found = findDeployments(paths, io.cwd);
  const parents: ParentCache = new Map();
  const judged = found.problems.map((problem) => unreadable(problem));
  const stdin = await readText(io, found);
  const progress = progressLine(io, found.configs.length);
  for (const config of found.configs) {
    if (config.path === null && "problem" in stdin) judged.push(unreadable(stdin.problem));
    else {
      const text = config.path === null && "text" in stdin ? stdin.text : undefined;
      judged.push(await checkOne(config, { ...options, cwd: io.cwd, parents, stdin: text }));
    }
    progress.step();
  }
  progress.clear();
  judged.sort((a, b) => compareText(a.view.config, b.view.config));
  const all = withShared(judged, options.strict);
  return { judged: all, status: Math.max(PASSED, ...all.map((one) => one.status)) };
}

/** Characters that are written at once: a write for each of thousands of deployments costs as much as reading one. */
const WRITTEN_AT_ONCE = 65_536;

/** Prints a result with a reporter. */
export function report(result: CheckResult, reporter: Reporter, output: Output): void {
  let waiting = "";
  const flush = (): void => {
    if (waiting !== "") output.write(waiting);
    waiting = "";
  };
  const print = (text: string): void => {
    waiting += text;
    if (waiting.length > WRITTEN_AT_ONCE) flush();
  };
  const views: DeploymentView[] = [];
  let fixed = 0;
  for (const { view, sources, fixed: count } of result.judged) {
    print(reporter.add(view, (file) => sources.get(file)));
    views.push(view);
    fixed += count;
  }
  for (const text of reporter.end(runView(views, fixed))) print(text);
  flush();
}
