import { shellQuote } from "../../../boxd/driver/shell.ts";
import { runSmoke, type SmokeReport, type StepResult } from "../../../boxd/driver/smoke/smoke.ts";
import { ours, plainText, type Shown, shown } from "../../../base/shown.ts";
import { withBoxd } from "./connection.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { paletteFor, printJson } from "../../output.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import type { ProcessIo, Output } from "../../process-io.ts";
import { hasOption, type Invocation, textOption, wantsJson } from "../../command-definition.ts";

/** `qm-deploy boxd smoke`. Progress goes to stderr with `--format json`, whose object has stdout to itself. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const json = wantsJson(invocation);
  const progress = json ? io.stderr : io.stdout;
  const palette = await paletteFor(io, progress);
  const keep = hasOption(invocation, "keep");
  const { signal, giveUp } = interruptions(io, progress, keep);
  return withBoxd(invocation, async (driver, { answered }) => {
    // From here on each step is told of.
    answered();
    const report = await runSmoke({
      driver,
      keep,
      signal,
      giveUp,
      onStart: (title) =>
        void (progress.isTTY === true && progress.write(shown`${palette.faint(`  …    ${title}`)}\r`)),
      onEnd: (result) => void progress.write(progressLine(result, palette)),
    });
    if (json) printJson(io, view(report));
    progress.write(summary(report, howToRemove(invocation)));
    return report.ok ? PASSED : PROBLEMS;
  });
}

/** The first interruption ends the steps, the next one also the clean-up; after that the process ends as it would without us. */
function interruptions(io: ProcessIo, progress: Output, keep: boolean): Record<"signal" | "giveUp", AbortSignal> {
  const stop = new AbortController();
  const giveUp = new AbortController();
  const watch = async (): Promise<void> => {
    await io.interrupted();
    progress.write(ours(keep ? "interrupted\n" : "interrupted: cleaning up; once more ends that too\n"));
    stop.abort();
    await io.interrupted();
    giveUp.abort();
  };
  void watch();
  return { signal: stop.signal, giveUp: giveUp.signal };
}

/** The command that removes a machine of this run, with the same key: the options that said where to find it belong to it. */
function howToRemove(invocation: Invocation): string {
  const where = ["in", "env-file"].flatMap((name) => {
    const value = textOption(invocation, name);
    return value === undefined ? [] : [`--${name} ${shellQuote(value)}`];
  });
  return ["qm-deploy boxd rm", ...where].join(" ");
}

function view({ ok, steps, left }: SmokeReport): object {
  return {
    ok,
    steps,
    left: left === null ? null : { name: plainText(left.name), id: left.id === undefined ? null : plainText(left.id) },
    problem: null,
  };
}

function progressLine(result: StepResult, palette: Palette): Shown {
  const verdict = result.ok ? palette.good("ok    ") : palette.error("failed");
  const problem = result.problem === null ? "" : shown`         ${result.problem}\n`;
  return shown`  ${verdict} ${result.title}  ${palette.faint(`${(result.tookMs / 1000).toFixed(1)} s`)}\n${problem}`;
}

function summary({ ok, interrupted, left, steps }: SmokeReport, remove: string): Shown {
  const came = ok ? `boxd works: ${steps.length} steps passed` : "boxd does not work as qm needs it";
  const verdict = interrupted ? "interrupted" : came;
  const leftover =
    left === null
      ? "nothing is left on boxd"
      : shown`machine ${plainText(left.name)} is left; remove it with: ${plainText(remove)} ${plainText(left.name)}`;
  return shown`${verdict}; ${leftover}\n`;
}
