import { ours, type Shown } from "../../../base/shown.ts";
import { isToolkitFault } from "../../../rules/blocking.ts";
import type { Found } from "../../../workspace/find-deployments.ts";
import { loadUsable } from "../../../workspace/load-deployment.ts";
import { planRender, type RenderPlan } from "../../../workspace/render-plan.ts";
import { hasOption, OPTIONS, type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { loadDeploymentArgument, loadFlags } from "../../deployment-argument.ts";
import { deploymentsAt, eachDeployment } from "../../each-deployment.ts";
import { INTERNAL, PASSED, PROBLEMS } from "../../exit-status.ts";
import { paletteFor, printError, printJson, usageError } from "../../output.ts";
import { progressOf } from "../../progress.ts";
import { referenceResolver } from "../../references.ts";
import { printDiagnostics, reportWriteErrors } from "../../reporting.ts";
import { bindProblem, renderOptionsOf } from "./flags.ts";
import { diffsText, drifts, type Outcome, outcomeText } from "./outcome.ts";
import { type RenderFlags, renderOne, requestOf } from "./render-one.ts";
import {
  jsonRun,
  ofOutcome,
  ofProblem,
  type Rendered,
  reportRendered,
  saidOnce,
  unknownNames,
  wayOn,
} from "./report.ts";

/** `qm-deploy render`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const flags = readFlags(invocation);
  const printsOne = hasOption(invocation, "stdout");
  const wrong = whatIsWrong(invocation, flags, printsOne);
  if (wrong !== null) return usageError(io, wrong);
  if (printsOne) return reportWriteErrors(io, () => printOne(invocation, flags));
  const found = deploymentsAt(io, args, hasOption(invocation, OPTIONS.ifPresent.name));
  if (flags.out !== undefined && found.configs.length > 1)
    return usageError(io, "--out is the directory of one deployment: name one");
  return renderAll(invocation, flags, found);
}

function readFlags(invocation: Invocation): RenderFlags {
  const names = textOption(invocation, "only")
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return {
    check: hasOption(invocation, "check"),
    force: hasOption(invocation, "force"),
    prune: hasOption(invocation, "prune"),
    only: names ?? null,
    out: textOption(invocation, "out"),
    options: renderOptionsOf(invocation),
  };
}

function whatIsWrong(
  invocation: Invocation,
  { check, prune, only, options: { secrets, bind } }: RenderFlags,
  printsOne: boolean,
): string | null {
  if (only?.length === 0) return "--only names no artifact";
  if (hasOption(invocation, "resolve") && (!secrets || printsOne))
    return "--resolve reads secret values, which --secrets alone writes: give both, without --stdout";
  if (check && (printsOne || secrets || prune))
    return "--check writes and shows no secrets, prunes nothing and prints no artifact: it goes with none of --stdout, --secrets and --prune";
  if (printsOne && (only?.length !== 1 || wantsJson(invocation)))
    return "--stdout prints one artifact: name it with --only, without --format json";
  if (printsOne && invocation.args.length > 1) return "--stdout prints an artifact of one deployment: name one";
  if (prune && only !== null) return "--prune is about all artifacts: it does not go with --only";
  if (invocation.args.includes("-") && !printsOne)
    return "a config on stdin has no directory to render into: use --stdout";
  return bindProblem(bind);
}

/** Prints one artifact of one deployment: `--stdout`. */
async function printOne(invocation: Invocation, flags: RenderFlags): Promise<number> {
  const { io } = invocation;
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const { deployment } = loaded;
  const { request, findings, isRefused } = requestOf(deployment, flags, io.cwd);
  if (isRefused) {
    await printDiagnostics(io, deployment, findings);
    printError(io, `nothing was rendered${wayOn(findings)}`);
    return findings.some(isToolkitFault) ? INTERNAL : PROBLEMS;
  }
  const plan = planRender(request);
  if (plan.unknown.length > 0) return usageError(io, unknownNames(plan));
  const found = plan.files.find((file) => file.artifact.name === flags.only?.[0]);
  await printDiagnostics(io, deployment, saidOnce(plan.refusals));
  if (found === undefined) return PROBLEMS;
  if (found.artifact.secret) return usageError(io, "secret values go into files only: leave --stdout out");
  io.stdout.write(ours(found.artifact.text));
  return PASSED;
}

/** Renders every deployment, or compares each with what lies there. */
async function renderAll(invocation: Invocation, flags: RenderFlags, found: Found): Promise<number> {
  const { io } = invocation;
  const isJson = wantsJson(invocation);
  const palette = await paletteFor(io, io.stdout);
  const isAlone = found.configs.length + found.problems.length === 1;
  let hasDiff = false;
  /** Of several deployments only the first that differs is shown in full: the same change often makes them all differ. */
  const textOf = (outcome: Outcome, plan: RenderPlan): Shown | null => {
    if (isJson) return null;
    if (isAlone) return outcomeText(outcome, plan, palette);
    if (hasDiff || outcome.action !== "check" || !drifts(plan)) return null;
    hasDiff = true;
    return diffsText(outcome, plan, palette);
  };
  const loads = loadFlags(invocation);
  const format = isJson ? "json" : "pretty";
  const progress = progressOf(io, flags.check ? "comparing" : "rendering", { format, detail: "normal" });
  const resolve = await referenceResolver(invocation);
  const rendered = await eachDeployment<Rendered>(io, found, progress, {
    async on(config, how) {
      const { deployment, problem } = loadUsable(config, { ...loads, ...how });
      if (problem !== undefined) return ofProblem(problem, config.file);
      const outcome = await renderOne(await resolve(deployment), flags, io.cwd);
      return "problem" in outcome ? ofProblem(outcome.problem, config.file) : ofOutcome(outcome, isJson, textOf);
    },
    failed: ofProblem,
  });
  if (isJson) printJson(io, jsonRun(rendered));
  else await reportRendered(io, rendered, palette);
  return Math.max(PASSED, ...rendered.map(({ status }) => status));
}
