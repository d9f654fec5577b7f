import { runSmoke, type SmokeReport, type StepResult } from "../../boxd/smoke/smoke.ts";
import { printable } from "../../diagnostics/printable.ts";
import { withBoxd } from "../boxd/connection.ts";
import { paletteFor } from "../colour.ts";
import { PASSED, PROBLEMS } from "../exit-status.ts";
import { hasOption, type Invocation, textOption } from "../spec.ts";

/** `qm-deploy boxd smoke`. Progress goes to stderr with `--format json`, whose object has stdout to itself. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const json = textOption(invocation, "format") === "json";
  const progress = json ? io.stderr : io.stdout;
  const palette = paletteFor(io, progress);
  const stop = new AbortController();
  void io.interrupted().then(() => {
    progress.write("interrupted: cleaning up\n");
    stop.abort();
  });
  return withBoxd(invocation, async (driver) => {
    const report = await runSmoke({
      driver,
      keep: hasOption(invocation, "keep"),
      signal: stop.signal,
      onStart: (title) => void (progress.isTTY === true && progress.write(palette.faint(`  …    ${title}\r`))),
      onEnd: (result) => void progress.write(progressLine(result, palette)),
    });
    if (json) io.stdout.write(`${JSON.stringify(view(report), null, 2)}\n`);
    progress.write(summary(report, stop.signal.aborted));
    return report.ok && !stop.signal.aborted ? PASSED : PROBLEMS;
  });
}

function view({ ok, steps, left }: SmokeReport): object {
  return { version: 1, ok, steps, left: left === null ? null : { name: left.name, id: left.id ?? null }, problem: null };
}

function progressLine(result: StepResult, palette: ReturnType<typeof paletteFor>): string {
  const verdict = result.ok ? palette.good("ok    ") : palette.error("failed");
  const problem = result.problem === null ? "" : `         ${printable(result.problem)}\n`;
  return `  ${verdict} ${result.title}  ${palette.faint(`${(result.tookMs / 1000).toFixed(1)} s`)}\n${problem}`;
}

function summary({ ok, left, steps }: SmokeReport, interrupted: boolean): string {
  const verdict = interrupted ? "interrupted" : ok ? `boxd works: ${steps.length} steps passed` : "boxd does not work as qm needs it";
  const leftover = left === null ? "nothing is left on boxd" : `machine ${left.name} is left; remove it with: qm-deploy boxd rm ${left.name}`;
  return `${verdict}; ${leftover}\n`;
}
