import { ours } from "../../../base/shown.ts";
import { isIP } from "node:net";
import type { Deployment } from "../../../deployment/deployment.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { closestName } from "../../../base/closest-name.ts";
import { blockingDiagnostics, isCommittedSecret, isToolkitFault } from "../../../rules/blocking.ts";
import { runRules } from "../../../rules/run-rules.ts";
import { DEFAULT_BIND } from "../../../render/artifact.ts";
import { planRender, type RenderPlan, type RenderRequest } from "../../../workspace/render-plan.ts";
import { renderedDirectory } from "../../../workspace/rendered-directory.ts";
import { writeRender } from "../../../workspace/render-write.ts";
import { paletteFor, printError, printJson, usageError } from "../../output.ts";
import { INTERNAL, PASSED, PROBLEMS } from "../../exit-status.ts";
import type { ProcessIo } from "../../process-io.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { printDiagnostics, reportWriteErrors } from "../../reporting.ts";
import { drifts, jsonOutcome, type Outcome, outcomeText } from "./outcome.ts";
import { hasOption, type Invocation, textOption, wantsJson } from "../../command-definition.ts";

/** `qm-deploy render`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const flags = readFlags(invocation);
  const wrong = whatIsWrong(invocation, flags);
  if (wrong !== null) return usageError(io, wrong);
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  return reportWriteErrors(io, () => renderLoaded(invocation, flags, loaded.deployment));
}

type RenderFlags = ReturnType<typeof readFlags>;

function readFlags(invocation: Invocation) {
  const names = textOption(invocation, "only")
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return {
    check: hasOption(invocation, "check"),
    stdout: hasOption(invocation, "stdout"),
    force: hasOption(invocation, "force"),
    secrets: hasOption(invocation, "secrets"),
    json: wantsJson(invocation),
    prune: hasOption(invocation, "prune"),
    only: names ?? null,
    bind: textOption(invocation, "bind") ?? DEFAULT_BIND,
  };
}

function whatIsWrong(
  invocation: Invocation,
  { check, stdout, secrets, json, prune, only, bind }: RenderFlags,
): string | null {
  if (only?.length === 0) return "--only names no artifact";
  if (check && (stdout || secrets || prune))
    return "--check writes and shows no secrets, prunes nothing and prints no artifact: it goes with none of --stdout, --secrets and --prune";
  if (stdout && (only?.length !== 1 || json))
    return "--stdout prints one artifact: name it with --only, without --format json";
  if (prune && only !== null) return "--prune is about all artifacts: it does not go with --only";
  if (invocation.args[0] === "-" && !stdout) return "a config on stdin has no directory to render into: use --stdout";
  return isIP(bind) === 0 ? "--bind takes an IP address, such as 127.0.0.1 or 0.0.0.0" : null;
}

async function renderLoaded(invocation: Invocation, flags: RenderFlags, deployment: Deployment): Promise<number> {
  const { io } = invocation;
  const { target, inputs } = deployment;
  const operation = flags.secrets ? "render --secrets" : "render";
  const findings = blockingDiagnostics(operation, runRules(deployment), deployment);
  const place = renderedDirectory(inputs.directory ?? ".", target ?? "docker", textOption(invocation, "out"), io.cwd);
  const base = { deployment, findings, prune: flags.prune, shown: place.shown };
  if (target === null || (findings.length > 0 && !flags.force) || findings.some(isCommittedSecret)) {
    return finish(io, flags, { ...base, plan: null, action: "nothing", ok: false });
  }
  const options = { secrets: flags.secrets, withOptional: hasOption(invocation, "with-optional"), bind: flags.bind };
  const request: RenderRequest = { deployment, output: place, options, only: flags.only, prune: flags.prune };
  const isFit = (plan: RenderPlan): boolean => plan.unknown.length === 0 && (plan.refusals.length === 0 || flags.force);
  const writes = !flags.check && !flags.stdout;
  const plan = writes ? await writeRender(request, isFit) : planRender(request);
  if (plan.unknown.length > 0) return usageError(io, unknownNames(plan));
  if (flags.stdout) return printOne(io, deployment, flags, plan);
  const ok = plan.refusals.length === 0 && (writes || !drifts(plan));
  return finish(io, flags, { ...base, plan, action: flags.check ? "check" : isFit(plan) ? "write" : "nothing", ok });
}

function unknownNames({ unknown, names }: RenderPlan): string {
  const name = unknown[0] ?? "";
  if (name.includes(".secrets.") && !names.includes(name))
    return `there is no artifact "${name}" without --secrets, or its workload has no secrets`;
  const near = closestName(name, names);
  return `there is no artifact "${name}"${near === null ? "" : `; did you mean "${near}"?`} (there are: ${names.join(", ")})`;
}

async function printOne(
  io: ProcessIo,
  deployment: Deployment,
  { only }: RenderFlags,
  plan: RenderPlan,
): Promise<number> {
  const found = plan.files.find((file) => file.artifact.name === only?.[0]);
  await printDiagnostics(io, deployment, saidOnce(plan.refusals));
  if (found === undefined) return PROBLEMS;
  if (found.artifact.secret) return usageError(io, "secret values go into files only: leave --stdout out");
  io.stdout.write(ours(found.artifact.text));
  return PASSED;
}

/** A missing secret or image stops several artifacts; people read of it once. */
function saidOnce(refusals: RenderPlan["refusals"]): readonly Diagnostic[] {
  return [...new Map(refusals.map((refusal) => [`${refusal.rule} ${refusal.message}`, refusal])).values()];
}

function wayOn(findings: readonly Diagnostic[]): string {
  if (findings.some(isCommittedSecret))
    return ": rendered files are committed, and a secret would be in them; --force does not change that";
  return findings.length > 0 ? "; --force renders what can be" : "";
}

async function finish(io: ProcessIo, { json }: RenderFlags, outcome: Outcome): Promise<number> {
  const { deployment, findings, plan } = outcome;
  if (json) printJson(io, jsonOutcome(outcome));
  else {
    await printDiagnostics(io, deployment, [...findings, ...saidOnce(plan?.refusals ?? [])]);
    if (plan !== null) io.stdout.write(outcomeText(outcome, plan, await paletteFor(io, io.stdout)));
    if (outcome.action === "nothing") printError(io, `nothing was rendered${wayOn(findings)}`);
  }
  if (findings.some(isToolkitFault)) return INTERNAL;
  return outcome.ok ? PASSED : PROBLEMS;
}
