import { dirname, relative, resolve } from "node:path";
import { DIFF } from "../cli/commands/diff/diff.command.ts";
import type { ProcessIo } from "../cli/process-io.ts";
import type { DeploymentView } from "../diagnostics/view.ts";
import type { DeploymentDiff } from "../views/diff/diff.ts";
import { askGit, GitError, type Repository } from "../workspace/git.ts";
import { isInside, realPath, withSlashes } from "../workspace/paths.ts";
import { type Base, baseOfEvent, changedFiles } from "./base-revision.ts";
import { callCommand } from "./call-command.ts";
import { type ActionInputs, AUTO } from "./inputs.ts";

/** What changes in one deployment: `new`: the base has none there; `unread`: the base's, or its own, cannot be read. */
export type Change =
  | { readonly state: "changed" | "same"; readonly diff: DeploymentDiff | null }
  | { readonly state: "new" | "unread"; readonly diff: null };

/** What changes since a commit, by config; `missing` says why nothing can be compared. */
export interface Changes {
  readonly base: string | null;
  readonly missing: string | null;
  readonly byConfig: ReadonlyMap<string, Change>;
}

const FOUND_NOTHING: Pick<Changes, "byConfig"> = { byConfig: new Map() };

/** An object of `check`, in which problems of reading come. */
interface ProblemAnswer {
  readonly deployments: readonly Pick<DeploymentView, "diagnostics">[];
}

async function diffOne(io: ProcessIo, base: string, config: string, inputs: ActionInputs): Promise<Change> {
  const { release, target } = inputs;
  const answer = (await callCommand(io, DIFF, [`${base}:`, dirname(config)], { release, target })) as
    DeploymentDiff | ProblemAnswer;
  if ("same" in answer) return { state: answer.same ? "same" : "changed", diff: answer };
  const [problem] = answer.deployments.flatMap(({ diagnostics }) => diagnostics);
  const isNew = problem?.rule === "input/missing" && problem.file.startsWith(`${base}:`);
  return { state: isNew ? "new" : "unread", diff: null };
}

/** True for a file that a deployment is made from: one in its directory, or a package.json above that may pin its release. */
function shapes(file: string, directory: string): boolean {
  return (
    isInside(file, directory) || (file.endsWith("/package.json") && isInside(directory, dirname(file)))
  );
}

async function baseOf(io: ProcessIo, repository: Repository, wanted: string): Promise<Base | null> {
  return wanted === AUTO ? baseOfEvent(repository, io.env["GITHUB_EVENT_PATH"]) : { revision: wanted };
}

/** Compares deployments with what they were at the base; asks git first which of them were touched at all. */
export async function findChanges(
  io: ProcessIo,
  deployments: readonly DeploymentView[],
  inputs: ActionInputs,
): Promise<Changes | null> {
  if (inputs.diffBase === null) return null;
  const repository: Repository = { directory: io.cwd };
  try {
    const base = await baseOf(io, repository, inputs.diffBase);
    if (base === null) return null;
    if ("missing" in base) return { base: null, ...base, ...FOUND_NOTHING };
    const top = realPath(await askGit(repository, ["rev-parse", "--show-toplevel"])) ?? io.cwd;
    const commit = await askGit(repository, ["rev-parse", "--verify", "--end-of-options", `${base.revision}^{commit}`]);
    const touched = (await changedFiles(repository, commit, "HEAD")).map((path) => resolve(top, path));
    const short = commit.slice(0, 12);
    const byConfig = new Map<string, Change>();
    for (const { config } of deployments) {
      const directory = realPath(resolve(io.cwd, dirname(config)));
      if (directory === null) continue;
      const isTouched = touched.some((file) => shapes(file, directory));
      byConfig.set(config, isTouched ? await diffOne(io, short, config, inputs) : { state: "same", diff: null });
    }
    return { base: short, missing: null, byConfig };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { base: null, missing: `git could not read it: ${error.message}; ${error.help}`, ...FOUND_NOTHING };
  }
}
