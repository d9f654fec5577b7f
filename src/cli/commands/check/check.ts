import { ours } from "../../../base/shown.ts";
import { compareText } from "../../../base/text-order.ts";
import { type DiagnosticView, diagnosticView, isFailing } from "../../../diagnostics/view.ts";
import { findSharedMachines } from "../../../rules/sandbox/machine-names.ts";
import type { Found } from "../../../workspace/find-deployments.ts";
import { hasOption, type Invocation, OPTIONS, textOption } from "../../command-definition.ts";
import { loadFlags } from "../../deployment-argument.ts";
import { deploymentsAt, eachDeployment } from "../../each-deployment.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { usageError } from "../../output.ts";
import type { ProcessIo } from "../../process-io.ts";
import { type Progress, progressOf } from "../../progress.ts";
import { reportFlags, reportRun } from "../../reporting.ts";
import { type CheckedDeployment, checkOne, type CheckOptions, type FixMode, unreadable } from "./check-one.ts";

/** `qm-deploy check`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const report = reportFlags(invocation);
  if (typeof report === "string") return usageError(io, report);
  const { format, detail } = report;
  const fix = (textOption(invocation, "fix") ?? null) as FixMode;
  const isDry = hasOption(invocation, "dry-run");
  if (isDry && (fix === null || (format !== "pretty" && format !== "json")))
    return usageError(io, "--dry-run shows what --fix would change, for people or as --format json");
  const readsStdin = args.includes("-");
  const options = {
    strict: hasOption(invocation, "strict"),
    frames: format === "pretty" ? detail : null,
    fix,
    isDry,
    ...loadFlags(invocation),
  };
  const found = () => deploymentsAt(io, args, hasOption(invocation, OPTIONS.ifPresent.name));
  const checkAll = async (): Promise<number> => {
    const progress = progressOf(io, "checking", report);
    const checked = await checkAt(io, found(), progress, options);
    // The fixed config of stdin is what stdout is for then.
    const output = readsStdin && fix !== null && !isDry ? io.stderr : io.stdout;
    for (const { text } of checked) if (text !== null && fix !== null) io.stdout.write(ours(text));
    if (isDry && format === "pretty") {
      const { printEdits } = await import("./preview-fixes.ts");
      await printEdits(
        io,
        checked.flatMap(({ view }) => view.edits ?? []),
      );
    }
    const fixed = checked.reduce((sum, one) => sum + one.fixed, 0);
    await reportRun(io, checked, { ...report, output }, fixed);
    return Math.max(PASSED, ...checked.map(({ status }) => status));
  };
  if (!hasOption(invocation, "watch")) return checkAll();
  if (readsStdin || format !== "pretty")
    return usageError(io, "--watch is for files and people: it takes neither stdin nor another --format");
  const { watchPaths } = await import("./watch.ts");
  await watchPaths(io, args, options.envFile, checkAll);
  return PASSED;
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

/** Checks every deployment that was found. */
async function checkAt(
  io: ProcessIo,
  found: Found,
  progress: Progress,
  options: Omit<CheckOptions, "cwd" | "stdin" | "parents">,
): Promise<CheckedDeployment[]> {
  const checked = await eachDeployment(io, found, progress, {
    on: (config, how) => checkOne(config, { ...options, ...how }),
    failed: unreadable,
  });
  checked.sort((a, b) => compareText(a.view.config, b.view.config));
  return withShared(checked, options.strict);
}
