import { isToolkitFault } from "../../../rules/blocking.ts";
import { type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { INTERNAL, PASSED, PROBLEMS } from "../../exit-status.ts";
import { usageError } from "../../output.ts";
import { reportInputProblem, reportWriteErrors } from "../../reporting.ts";
import { bindProblem, renderOptionsOf } from "../render/flags.ts";
import { requestOf } from "../render/render-one.ts";
import { compareLive } from "./compare.ts";
import { reportDrift } from "./report.ts";

/** `qm-deploy drift`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const options = renderOptionsOf(invocation);
  const wrong = args.includes("-")
    ? "a config on stdin has no directory with rendered files: name the deployment"
    : bindProblem(options.bind);
  if (wrong !== null) return usageError(io, wrong);
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  const { deployment } = loaded;
  const out = textOption(invocation, "out");
  const flags = { check: true, force: false, prune: false, only: null, out, options };
  const { request, findings, isRefused } = requestOf(deployment, flags, io.cwd);
  const directory = request.output.shown;
  if (isRefused) {
    await reportDrift(invocation, { deployment, directory, blocking: findings, compared: null });
    return findings.some(isToolkitFault) ? INTERNAL : PROBLEMS;
  }
  return reportWriteErrors(io, async () => {
    const compared = await compareLive(invocation, request);
    if ("problem" in compared) return reportInputProblem(io, compared.problem, wantsJson(invocation));
    await reportDrift(invocation, { deployment, directory, blocking: [], compared });
    return compared.findings.length === 0 && compared.refusals.length === 0 ? PASSED : PROBLEMS;
  });
}
