import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { diffDeployments } from "../../../views/diff/diff.ts";
import { diffMarkdown } from "../../../views/diff/markdown.ts";
import { diffText } from "../../../views/diff/text.ts";
import { directoryBeside, loadRevision, readRevisionName } from "../../../workspace/git-revision.ts";
import { loadDeployment, type LoadOutcome } from "../../../workspace/load-deployment.ts";
import { paletteFor, printJson } from "../../output.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { deploymentPath, loadFlags } from "../../deployment-argument.ts";
import { interruptible } from "../../interrupt.ts";
import { reportInputProblem } from "../../reporting.ts";
import { hasOption, type Invocation, textOption, wantsJson } from "../../command-definition.ts";

/** True for a side that is a revision: what exists on disk is never taken for one. */
function isRevision(named: string, cwd: string): boolean {
  return readRevisionName(named) !== null && !existsSync(resolve(cwd, named));
}

/** `diff HEAD` is what people type first. */
function withRevisionHint(outcome: LoadOutcome, named: string): LoadOutcome {
  if (outcome.problem?.rule !== "input/missing" || named === "") return outcome;
  const { problem } = outcome;
  return { problem: { ...problem, help: `${problem.help}; a git revision has a colon behind it: \`${named}:\`` } };
}

async function loadSide(invocation: Invocation, named: string, other: string): Promise<LoadOutcome> {
  const { cwd } = invocation.io;
  const flags = loadFlags(invocation);
  const revision = isRevision(named, cwd) ? readRevisionName(named) : null;
  if (revision === null) return withRevisionHint(loadDeployment(named, { cwd, ...flags }), named);
  const beside = isRevision(other, cwd) ? cwd : directoryBeside(other, cwd);
  return interruptible(invocation.io, (signal) => loadRevision(revision, { cwd, beside, signal, ...flags }));
}

/** `qm-deploy diff`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const json = wantsJson(invocation);
  const from = args[0] as string;
  const to = deploymentPath(io, args[1]);
  const before = await loadSide(invocation, from, to);
  const after = await loadSide(invocation, to, from);
  if (before.problem !== undefined) return reportInputProblem(io, before.problem, json);
  if (after.problem !== undefined) return reportInputProblem(io, after.problem, json);
  const diff = diffDeployments(
    { named: from, deployment: before.deployment },
    { named: to, deployment: after.deployment },
  );
  if (json) printJson(io, diff);
  else if (textOption(invocation, "format") === "github") io.stdout.write(diffMarkdown(diff));
  else io.stdout.write(diffText(diff, await paletteFor(io, io.stdout)));
  return hasOption(invocation, "exit-code") && !diff.same ? PROBLEMS : PASSED;
}
