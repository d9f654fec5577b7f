import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { printableJson } from "../../../base/printable.ts";
import { diffDeployments } from "../../../views/diff/diff.ts";
import { diffMarkdown } from "../../../views/diff/markdown.ts";
import type { DeploymentDiff } from "../../../views/diff/deployment-diff.ts";
import { diffText } from "../../../views/diff/text.ts";
import { directoryBeside, loadRevision, readRevisionName } from "../../../workspace/git-revision.ts";
import { loadDeployment, type LoadOutcome } from "../../../workspace/load-deployment.ts";
import { paletteFor } from "../../colour.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { interruptible } from "../../interrupt.ts";
import type { ProcessIo } from "../../process-io.ts";
import { reportInputProblem } from "../../deployment-argument.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";

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
  const flags = { release: textOption(invocation, "release"), target: textOption(invocation, "target") };
  const revision = isRevision(named, cwd) ? readRevisionName(named) : null;
  if (revision === null) return withRevisionHint(loadDeployment(named, { cwd, ...flags }), named);
  const beside = isRevision(other, cwd) ? cwd : directoryBeside(other, cwd);
  return interruptible(invocation.io, (signal) => loadRevision(revision, { cwd, beside, signal, ...flags }));
}

async function print(io: ProcessIo, diff: DeploymentDiff, format: string | undefined): Promise<string> {
  if (format === "json") return printableJson(`${JSON.stringify({ version: 1, ...diff }, null, 2)}\n`);
  return format === "github" ? diffMarkdown(diff) : diffText(diff, await paletteFor(io, io.stdout));
}

/** `qm-deploy diff`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const format = textOption(invocation, "format");
  const [from, to = "."] = args as [string, string?];
  const loaded = [await loadSide(invocation, from, to), await loadSide(invocation, to, from)];
  const [before, after] = loaded;
  for (const side of loaded) {
    if (side.problem === undefined) continue;
    await reportInputProblem(io, side.problem, format === "json" ? "json" : "pretty");
    return USAGE;
  }
  if (before?.deployment === undefined || after?.deployment === undefined) return USAGE;
  const diff = diffDeployments(
    { named: from, deployment: before.deployment },
    { named: to, deployment: after.deployment },
  );
  io.stdout.write(await print(io, diff, format));
  return hasOption(invocation, "exit-code") && !diff.same ? PROBLEMS : PASSED;
}
