import { ours, shown } from "../../../base/shown.ts";
import { reportRun } from "../../reporting.ts";
import { usageError } from "../../output.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import { loadFlags, tellAbove } from "../../deployment-argument.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Detail } from "../../../diagnostics/reporters/reporter.ts";
import { compareText } from "../../../base/text-order.ts";
import { type DiagnosticView, diagnosticView, isFailing } from "../../../diagnostics/view.ts";
import { findSharedMachines } from "../../../rules/sandbox/machine-names.ts";
import { findDeployments, type Found } from "../../../workspace/find-deployments.ts";
import type { ParentCache } from "../../../workspace/package-files.ts";
import { MAX_TEXT_BYTES } from "../../../diagnostics/input-problem.ts";
import { textOf } from "../../../workspace/read-file.ts";
import { type ProcessIo, readStdin } from "../../process-io.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { type CheckedDeployment, checkOne, type CheckOptions, type FixMode, unreadable } from "./check-one.ts";

/** `qm-deploy check`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const format = textOption(invocation, "format") ?? "pretty";
  const fix = (textOption(invocation, "fix") ?? null) as FixMode;
  const readsStdin = args.includes("-");
  const detail: Detail = hasOption(invocation, "quiet") ? "quiet" : hasOption(invocation, "all") ? "all" : "normal";
  const options = {
    strict: hasOption(invocation, "strict"),
    frames: format === "pretty" ? detail : null,
    fix,
    ...loadFlags(invocation),
  };
  const reporting = {
    format,
    detail,
    strict: options.strict,
    showSuppressed: hasOption(invocation, "show-suppressed"),
  };
  const checkAll = async (): Promise<number> => {
    const checked = await checkPaths(io, args, options);
    // The fixed config of stdin is what stdout is for then.
    const output = readsStdin && fix !== null ? io.stderr : io.stdout;
    for (const { text } of checked) if (text !== null && fix !== null) io.stdout.write(ours(text));
    const fixed = checked.reduce((sum, one) => sum + one.fixed, 0);
    await reportRun(io, checked, { ...reporting, output }, fixed);
    return Math.max(PASSED, ...checked.map(({ status }) => status));
  };
  if (!hasOption(invocation, "watch")) return checkAll();
  if (readsStdin || format !== "pretty")
    return usageError(io, "--watch is for files and people: it takes neither stdin nor another --format");
  const { watchPaths } = await import("./watch.ts");
  await watchPaths(io, args, options.envFile, checkAll);
  return PASSED;
}

async function readText(io: ProcessIo, found: Found): Promise<{ text: string } | { problem: Diagnostic }> {
  const stdin = found.configs.find(({ path }) => path === null);
  return stdin === undefined ? { text: "" } : textOf(await readStdin(io, MAX_TEXT_BYTES), stdin.file);
}

/** Adds the findings that only show when deployments are seen together to those of each. */
function withShared(checked: CheckedDeployment[], strict: boolean): CheckedDeployment[] {
  const sharing = checked.map((one) => one.sharing).filter((one) => one !== null);
  if (sharing.length < 2) return checked;
  const shared = new Map<string, DiagnosticView[]>();
  for (const diagnostic of findSharedMachines(sharing).map(diagnosticView))
    shared.set(diagnostic.file, [...(shared.get(diagnostic.file) ?? []), diagnostic]);
  return checked.map((one) => {
    const more = shared.get(one.view.config);
    if (more === undefined) return one;
    const diagnostics = [...one.view.diagnostics, ...more].sort(
      (a, b) => compareText(a.file, b.file) || (a.range?.start.offset ?? -1) - (b.range?.start.offset ?? -1),
    );
    const ok = !diagnostics.some((diagnostic) => isFailing(diagnostic, strict));
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
      if (isShown && done % STEP === 0) io.stderr.write(shown`\rchecked ${done} of ${total}`);
    },
    clear() {
      if (isShown) io.stderr.write(ours("\r\u001b[K"));
    },
  };
}

/** Checks every deployment that the paths stand for. */
async function checkPaths(
  io: ProcessIo,
  paths: readonly string[],
  options: Omit<CheckOptions, "cwd" | "stdin" | "parents">,
): Promise<CheckedDeployment[]> {
  const found = findDeployments(paths, io.cwd);
  const parents: ParentCache = new Map();
  const [only] = found.configs;
  if (paths.length === 0 && only?.file.startsWith("../") === true) tellAbove(io, only.file);
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
  return withShared(checked, options.strict);
}
