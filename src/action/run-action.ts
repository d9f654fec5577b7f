import { dirname, resolve } from "node:path";
import { type Shown, shown } from "../base/shown.ts";
import { systemError } from "../base/system-error.ts";
import { CHECK } from "../cli/commands/check/check.command.ts";
import { INTERNAL, PASSED, PROBLEMS } from "../cli/exit-status.ts";
import { internalErrorReport, systemRefusal } from "../cli/internal-error.ts";
import type { Output, ProcessIo } from "../cli/process-io.ts";
import { namesFromRoot, reportRun } from "../cli/reporting.ts";
import { fault } from "../diagnostics/reporters/github.ts";
import { type DeploymentView, isFailing, type RunView, runView } from "../diagnostics/view.ts";
import { ruleInfo } from "../rules/registry.ts";
import { isInside } from "../workspace/paths.ts";
import { nearestExisting } from "../workspace/read-file.ts";
import { writeFailure, writeFileAtomically } from "../workspace/write-file.ts";
import { callCommand, Collected, NoAnswer } from "./call-command.ts";
import { findChanges } from "./changes.ts";
import { type Drift, findDrift } from "./drift.ts";
import { type ActionInputs, InputError, readActionInputs } from "./inputs.ts";
import { linksFor } from "./links.ts";
import { drawPictures } from "./pictures.ts";
import { writeOutputs, writeSummary } from "./runner-files.ts";
import { type ActionResult, summaryText } from "./summary.ts";

/** True for a deployment that was read, so that there is something to render and compare. */
function isRead({ diagnostics }: DeploymentView): boolean {
  return diagnostics.every(({ rule }) => ruleInfo(rule).concerns !== "input");
}

function withDrift(deployment: DeploymentView, drift: Drift | undefined, strict: boolean): DeploymentView {
  if (drift === undefined || drift.diagnostics.length === 0) return deployment;
  const diagnostics = [...deployment.diagnostics, ...drift.diagnostics];
  return { ...deployment, diagnostics, ok: !diagnostics.some((diagnostic) => isFailing(diagnostic, strict)) };
}

async function judge(io: ProcessIo, inputs: ActionInputs): Promise<ActionResult> {
  const { strict, release, target, envFile, paths } = inputs;
  const options = { strict, release, target, "env-file": envFile };
  const checked = (await callCommand(io, CHECK, paths, options)) as RunView;
  const read = checked.deployments.filter(isRead);
  const drift = inputs.renderCheck ? new Map<string, Drift>() : null;
  if (drift !== null) for (const { config } of read) drift.set(config, await findDrift(io, config, inputs));
  const changes = await findChanges(io, read, inputs);
  const deployments = checked.deployments.map((one) => withDrift(one, drift?.get(one.config), strict));
  const pictures = await drawPictures(io, read, changes, inputs);
  return { run: runView(deployments, 0), drift, changes, pictures };
}

async function report(io: ProcessIo, format: string, { deployments }: RunView, strict: boolean, output: Output) {
  const sources: ReadonlyMap<string, string> = new Map();
  await reportRun(
    io,
    deployments.map((view) => ({ view, sources })),
    { format, strict, output },
  );
}

/** Writes a file that a workflow asked for, in the workspace or wherever else it named; what went wrong, or null. */
function writeNamed(file: string, cwd: string, text: string): Shown | null {
  const path = resolve(cwd, file);
  try {
    writeFileAtomically(path, text, { root: isInside(path, cwd) ? cwd : nearestExisting(dirname(path)) });
    return null;
  } catch (error) {
    const reason = writeFailure(error);
    if (reason === null) throw error;
    return shown`the input \`sarif-file\` cannot be written: ${reason}`;
  }
}

/** What a workflow asks for and cannot have, whatever the deployments are like. */
async function faultsOf(io: ProcessIo, inputs: ActionInputs, { run, changes }: ActionResult): Promise<Shown[]> {
  const { sarifFile, strict } = inputs;
  const sarif = new Collected();
  if (sarifFile !== null) await report(io, "sarif", run, strict, sarif);
  const unwritten = sarifFile === null ? null : writeNamed(sarifFile, io.cwd, sarif.text);
  const unfound = changes !== null && "missing" in changes && changes.isFault ? changes.missing : null;
  return [unwritten, unfound].filter((says) => says !== null);
}

async function runGate(io: ProcessIo): Promise<number> {
  const inputs = readActionInputs(io.env);
  const result = await judge(io, inputs);
  const { run } = result;
  const faults = await faultsOf(io, inputs, result);
  const ok = run.ok && faults.length === 0;
  // First, since GitHub drops what comes after ten of a kind.
  for (const says of faults) io.stdout.write(fault(says));
  await report(io, "github", run, inputs.strict, io.stdout);
  writeSummary(io.env, summaryText(result, linksFor(io.env, namesFromRoot(io))));
  const { errors, warnings, infos } = run.summary;
  writeOutputs(io.env, { ok, errors, warnings, infos, "sarif-file": inputs.sarifFile ?? "" });
  return ok ? PASSED : PROBLEMS;
}

/** Runs the gate as one step of a workflow; resolves to the exit status: 1 where the gate fails. Never throws. */
export async function runAction(io: ProcessIo): Promise<number> {
  try {
    return await runGate(io);
  } catch (error) {
    if (error instanceof InputError) {
      io.stdout.write(fault(error.shown));
      return PROBLEMS;
    }
    if (error instanceof NoAnswer) {
      io.stdout.write(fault(shown`${error.message}: the log of the step says why`));
      return PROBLEMS;
    }
    const refused = systemError(error);
    io.stderr.write(refused === null ? internalErrorReport(error) : systemRefusal(refused));
    return refused === null ? INTERNAL : PROBLEMS;
  }
}
