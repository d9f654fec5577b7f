import { makeReporter } from "../../reporting.ts";
import { usageError } from "../../output.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { compareText } from "../../../base/text-order.ts";
import type { Reporter } from "../../../diagnostics/reporters/reporter.ts";
import { type DeploymentView, diagnosticView, isFailing, runView } from "../../../diagnostics/view.ts";
import { findSharedMachines } from "../../../rules/sandbox/machine-names.ts";
import { findDeployments, type Found } from "../../../workspace/find-deployments.ts";
import type { ParentCache } from "../../../workspace/package-files.ts";
import { MAX_TEXT_BYTES, textOf } from "../../../workspace/read-file.ts";
import { type ProcessIo, type Output, readStdin } from "../../process-io.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { type CheckedDeployment, checkOne, type CheckOptions, type FixMode, unreadable } from "./check-one.ts";

/** `qm-deploy check`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const format = textOption(invocation, "format") ?? "pretty";
  const fix = (textOption(invocation, "fix") ?? null) as FixMode;
  const readsStdin = args.includes("-");
  const options = {
    strict: hasOption(invocation, "strict"),
    frames: format === "pretty",
    fix,
    envFile: textOption(invocation, "env-file"),
    release: textOption(invocation, "release"),
    target: textOption(invocation, "target"),
  };
  const checkAll = async (): Promise<number> => {
    const result = await checkPaths(io, args, options);
    // The fixed config of stdin is what stdout is for then.
    const output = readsStdin && fix !== null ? io.stderr : io.stdout;
    for (const { text } of result.deployments) if (text !== null && fix !== null) io.stdout.write(text);
    report(result, await makeReporter(format, io, output, options.strict), output);
    return result.status;
  };
  if (!hasOption(invocation, "watch")) return checkAll();
  if (readsStdin || format !== "pretty")
    return usageError(io, "--watch is for files and people: it takes neither stdin nor another --format");
  const { watchPaths } = await import("./watch.ts");
  await watchPaths(io, args, options.envFile, checkAll);
  return PASSED;
}

/** What one run over all paths came to. */
interface CheckResult {
  readonly deployments: readonly CheckedDeployment[];
  readonly status: number;
}

async function readText(io: ProcessIo, found: Found): Promise<{ text: string } | { problem: Diagnostic }> {
  const stdin = found.configs.find(({ path }) => path === null);
  return stdin === undefined ? { text: "" } : textOf(await readStdin(io, MAX_TEXT_BYTES), stdin.file);
}

/** Adds the findings that only show when deployments are seen together to those of each. */
function withShared(checked: CheckedDeployment[], strict: boolean): CheckedDeployment[] {
  const sharing = checked.map((one) => one.sharing).filter((one) => one !== null);
  if (sharing.length < 2) return checked;
  const shared = new Map<string, Diagnostic[]>();
  for (const diagnostic of findSharedMachines(sharing)) {
    const known = shared.get(diagnostic.file);
    if (known === undefined) shared.set(diagnostic.file, [diagnostic]);
    else known.push(diagnostic);
  }
  return checked.map((one) => {
    const more = shared.get(one.view.config);
    if (more === undefined) return one;
    const diagnostics = [...one.view.diagnostics, ...more.map(diagnosticView)].sort(
      (a, b) => compareText(a.file, b.file) || (a.range?.start.offset ?? -1) - (b.range?.start.offset ?? -1),
    );
    const ok = !diagnostics.some(({ severity }) => isFailing(severity, strict));
    return { ...one, view: { ...one.view, ok, diagnostics }, status: Math.max(one.status, ok ? PASSED : PROBLEMS) };
  });
}

/** Fewer deployments than this are checked before a line could be read. */
const MANY = 50;
const STEP = 25;

/** A line on a terminal that says how far a long run is; silent anywhere else. */
function progressLine(io: Pick<ProcessIo, "stderr">, total: number): { step(): void; clear(): void } {
  const isShown = total >= MANY && io.stderr.isTTY === true;
  let done = 0;
  return {
    step() {
      done++;
      if (isShown && done % STEP === 0) io.stderr.write(`\rchecked ${done} of ${total}`);
    },
    clear() {
      if (isShown) io.stderr.write("\r\u001b[K");
    },
  };
}

/** Checks every deployment that the paths stand for. */
async function checkPaths(
  io: ProcessIo,
  paths: readonly string[],
  options: Omit<CheckOptions, "cwd" | "stdin" | "parents">,
): Promise<CheckResult> {
  const found = findDeployments(paths, io.cwd);
  const parents: ParentCache = new Map();
  const checked = found.problems.map((problem) => unreadable(problem));
  const stdin = await readText(io, found);
  const progress = progressLine(io, found.configs.length);
  for (const config of found.configs) {
    if (config.path === null && "problem" in stdin) checked.push(unreadable(stdin.problem));
    else {
      const text = config.path === null && "text" in stdin ? stdin.text : undefined;
      checked.push(await checkOne(config, { ...options, cwd: io.cwd, parents, stdin: text }));
    }
    progress.step();
  }
  progress.clear();
  checked.sort((a, b) => compareText(a.view.config, b.view.config));
  const all = withShared(checked, options.strict);
  return { deployments: all, status: Math.max(PASSED, ...all.map((one) => one.status)) };
}

/** Characters that are written at once: a write for each of thousands of deployments costs as much as reading one. */
const WRITTEN_AT_ONCE = 65_536;

/** Prints a result with a reporter. */
function report(result: CheckResult, reporter: Reporter, output: Output): void {
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
  for (const { view, sources, fixed: count } of result.deployments) {
    print(reporter.add(view, (file) => sources.get(file)));
    views.push(view);
    fixed += count;
  }
  for (const text of reporter.end(runView(views, fixed))) print(text);
  flush();
}
