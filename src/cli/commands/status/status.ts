import { diagnosticView } from "../../../diagnostics/view.ts";
import { isDone, nextStep } from "../../../views/status.ts";
import { loadUsable } from "../../../workspace/load-deployment.ts";
import { type Invocation, wantsJson } from "../../command-definition.ts";
import { loadFlags } from "../../deployment-argument.ts";
import { deploymentsAt, eachDeployment } from "../../each-deployment.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { deploymentHead, paletteFor, printJson, usageError } from "../../output.ts";
import { progressOf } from "../../progress.ts";
import { reportInputProblem, statusOf } from "../../reporting.ts";
import { unreadable } from "../check/check-one.ts";
import { bindProblem, renderOptionsOf } from "../render/flags.ts";
import { fleetStatus, oneStatus } from "./report.ts";
import { type Member, stateOf } from "./state.ts";

/** `qm-deploy status`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const wrong = args.includes("-")
    ? "a config on stdin has no directory with rendered files: name the deployment"
    : bindProblem(renderOptionsOf(invocation).bind);
  if (wrong !== null) return usageError(io, wrong);
  const json = wantsJson(invocation);
  const loads = loadFlags(invocation);
  const progress = progressOf(io, "looking at", { format: json ? "json" : "pretty", detail: "normal" });
  const members = await eachDeployment<Member>(io, deploymentsAt(io, args), progress, {
    on(config, how) {
      const { deployment, problem } = loadUsable(config, { ...loads, ...how });
      return problem === undefined
        ? stateOf(invocation, deployment)
        : { deployment: null, config: config.file, problem };
    },
    failed: (problem, file) => ({ deployment: null, config: file, problem }),
  });
  const status = Math.max(PASSED, ...members.map(statusFor));
  if (json) printJson(io, { ok: status === PASSED, deployments: members.map(memberJson) });
  else await print(invocation, members);
  return status;
}

async function print({ io }: Invocation, members: readonly Member[]): Promise<void> {
  for (const { problem } of members) if (problem !== null) await reportInputProblem(io, problem);
  const palette = await paletteFor(io, io.stdout);
  const [only] = members;
  if (members.length === 1 && only !== undefined) {
    if (only.deployment !== null) io.stdout.write(oneStatus(only, palette));
  } else io.stdout.write(fleetStatus(members, palette));
}

function statusFor(member: Member): number {
  if (member.deployment === null) return statusOf(unreadable(member.problem).view);
  const { drift } = member.status;
  if (drift !== null && "unknown" in drift) return USAGE;
  return isDone(member.status) ? PASSED : PROBLEMS;
}

/** What `--format json` says of a deployment; see docs/json.md. */
function memberJson(member: Member): object {
  if (member.deployment === null) {
    const { config, target, release } = unreadable(member.problem, member.config).view;
    const nothing = { checks: null, secrets: null, rendered: null, directory: null, drift: null, next: null };
    return { config, target, release, ok: false, ...nothing, diagnostics: [diagnosticView(member.problem)] };
  }
  const { deployment, directory, status } = member;
  const { errors, warnings, secrets, rendered, drift } = status;
  return {
    ...deploymentHead(deployment),
    ok: statusFor(member) === PASSED,
    checks: { errors, warnings },
    secrets,
    rendered,
    directory,
    drift:
      drift === null
        ? null
        : "unknown" in drift
          ? { differences: null, runs: null, problem: drift.unknown }
          : { ...drift, problem: null },
    next: nextStep(status, deployment.target),
    diagnostics: [],
  };
}
