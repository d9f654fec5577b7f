import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { diffDeployments } from "../../../views/diff/diff.ts";
import { diffMarkdown } from "../../../views/diff/markdown.ts";
import { diffText } from "../../../views/diff/text.ts";
import { directoryBeside, loadRevision, readRevisionName, type RevisionName } from "../../../workspace/git-revision.ts";
import { loadDeployment, type LoadOutcome } from "../../../workspace/load-deployment.ts";
import { paletteFor, printJson } from "../../output.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { deploymentPath, loadFlags } from "../../deployment-argument.ts";
import { interruptible } from "../../interrupt.ts";
import { reportInputProblem } from "../../reporting.ts";
import { hasOption, type Invocation, textOption, wantsJson } from "../../command-definition.ts";

/** The revision that a side names: what exists on disk is never taken for one. */
function revisionOf(named: string, cwd: string): RevisionName | null {
  if (named === "" || existsSync(resolve(cwd, named))) return null;
  return readRevisionName(named) ?? { revision: named, path: "" };
}

async function loadSide(
  invocation: Invocation,
  which: "from" | "to",
  named: string,
  other: string,
): Promise<LoadOutcome> {
  const { cwd } = invocation.io;
  const all = loadFlags(invocation);
  const flags = { ...all, release: textOption(invocation, `${which}-release`) ?? all.release };
  const revision = revisionOf(named, cwd);
  if (revision === null) return loadDeployment(named, { cwd, ...flags });
  const missing = named.includes(":") ? null : loadDeployment(named, { cwd, ...flags });
  const beside = revisionOf(other, cwd) === null ? directoryBeside(other, cwd) : cwd;
  const loaded = await interruptible(invocation.io, (signal) =>
    loadRevision(revision, { cwd, beside, signal, ...flags }),
  );
  // What is neither a path nor a revision was most likely meant as a path.
  if (loaded.problem === undefined || missing?.problem === undefined) return loaded;
  const { problem } = missing;
  const help = `${problem.help}; no git revision of this name has a deployment here either`;
  return { problem: { ...problem, help } };
}

/** `qm-deploy diff`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const json = wantsJson(invocation);
  const from = args[0] ?? "HEAD:";
  const to = deploymentPath(io, args[1]);
  const before = await loadSide(invocation, "from", from, to);
  const after = await loadSide(invocation, "to", to, from);
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
