import { dirname, resolve } from "node:path";
import { type Shown, shown } from "../../../base/shown.ts";
import { PROBE_LIMIT_MS } from "../../../doctor/probe.ts";
import { type ProbeReport, runProbes } from "../../../doctor/run.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { askStage } from "../../../live/stage.ts";
import { askerFor } from "../../asker.ts";
import { paletteFor, printJson } from "../../output.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { interruptible } from "../../interrupt.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { type Invocation, wantsJson } from "../../command-definition.ts";

/** `qm-deploy doctor`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const { deployment } = loaded;
  const directory = deployment.inputs.directory === null ? io.cwd : dirname(resolve(io.cwd, deployment.document.file));
  const json = wantsJson(invocation);
  const palette = await paletteFor(io, io.stdout);
  const reports = await interruptible(io, async (signal) => {
    const come: ProbeReport[] = [];
    // Shorter than what the probes have that wait for it.
    const limited = AbortSignal.any([signal, AbortSignal.timeout(0.8 * PROBE_LIMIT_MS)]);
    const stage = askStage(deployment, askerFor(io, deployment, directory, limited));
    for await (const report of runProbes({ deployment, directory, env: io.env, stage, signal })) {
      come.push(report);
      if (!json) io.stdout.write(line(report, palette));
    }
    return come;
  });
  const ok = reports.every((report) => report.status !== "failed");
  if (json) {
    const probes = reports.map((report) => ({
      id: report.id,
      title: report.title,
      status: report.status,
      says: report.says,
      help: report.status === "failed" ? report.help : null,
    }));
    printJson(io, { ok, probes });
  }
  return ok ? PASSED : PROBLEMS;
}

function line(report: ProbeReport, palette: Palette): Shown {
  const paint = { ok: palette.good, failed: palette.error, skipped: palette.faint }[report.status];
  const help = report.status === "failed" ? shown`         help: ${report.help}\n` : "";
  return shown`${paint(report.status.padEnd(7))}  ${report.title}: ${report.says}\n${help}`;
}
