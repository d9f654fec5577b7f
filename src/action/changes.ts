import { basename, dirname, resolve } from "node:path";
import { type Shown, shown } from "../base/shown.ts";
import { DIFF } from "../cli/commands/diff/diff.command.ts";
import type { ProcessIo } from "../cli/process-io.ts";
import { PROJECTION } from "../deployment/rendered-names.ts";
import type { DeploymentView } from "../diagnostics/view.ts";
import type { DeploymentDiff } from "../views/diff/diff.ts";
import { askGit, GitError, type Repository } from "../workspace/git.ts";
import { CONFIG_NAME, displayName, isInside, realPath, withSlashes } from "../workspace/paths.ts";
import { kindAt } from "../workspace/read-file.ts";
import { type Base, baseOfEvent, changedFiles, namedBase } from "./base-revision.ts";
import { callCommand } from "./call-command.ts";
import { type ActionInputs, AUTO } from "./inputs.ts";

/** What changes in one deployment: `new`: the base has none there; `unread`: the base's, or its own, cannot be read. */
export type Change =
  | { readonly state: "changed" | "same"; readonly diff: DeploymentDiff | null }
  | { readonly state: "new" | "unread"; readonly diff: null };

/** What changes since the base, by config, or why nothing can be compared. */
export type Changes =
  | {
      readonly base: string;
      readonly byConfig: ReadonlyMap<string, Change>;
      /** Configs that the base has below what is judged, and that are not there any more. */
      readonly removed: readonly string[];
    }
  | Extract<Base, { readonly missing: Shown }>;

/** Where `render` puts the config for qm's own command line, which is no deployment. */
const PROJECTION_PATH = new RegExp(`/rendered/[^/]+/${PROJECTION.replaceAll(".", "\\.")}$`);

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
  return isInside(file, directory) || (file.endsWith("/package.json") && isInside(directory, dirname(file)));
}

function removedConfigs({ cwd }: ProcessIo, touched: readonly string[], { paths }: ActionInputs): string[] {
  const roots = paths.length === 0 ? [cwd] : paths.map((path) => resolve(cwd, path));
  const isJudged = (file: string): boolean => roots.some((root) => isInside(file, realPath(root) ?? root));
  return touched
    .filter((file) => basename(file) === CONFIG_NAME && !PROJECTION_PATH.test(withSlashes(file)))
    .filter((file) => isJudged(file) && kindAt(file) === null)
    .map((file) => displayName(file, realPath(cwd) ?? cwd));
}

async function changesSince(
  io: ProcessIo,
  repository: Repository,
  base: string,
  deployments: readonly DeploymentView[],
  inputs: ActionInputs,
): Promise<Exclude<Changes, { readonly missing: Shown }>> {
  const top = realPath(await askGit(repository, ["rev-parse", "--show-toplevel"])) ?? io.cwd;
  const touched = (await changedFiles(repository, base, "HEAD")).map((path) => resolve(top, path));
  const byConfig = new Map<string, Change>();
  for (const { config } of deployments) {
    const directory = realPath(resolve(io.cwd, dirname(config)));
    if (directory === null) continue;
    const isTouched = touched.some((file) => shapes(file, directory));
    byConfig.set(config, isTouched ? await diffOne(io, base, config, inputs) : { state: "same", diff: null });
  }
  return { base, byConfig, removed: removedConfigs(io, touched, inputs) };
}

/** Compares deployments with what they were at the base; asks git first which of them were touched at all. Null: with nothing. */
export async function findChanges(
  io: ProcessIo,
  deployments: readonly DeploymentView[],
  inputs: ActionInputs,
): Promise<Changes | null> {
  const { diffBase } = inputs;
  if (diffBase === null) return null;
  const repository: Repository = { directory: io.cwd };
  try {
    const base = await (diffBase === AUTO
      ? baseOfEvent(repository, io.env["GITHUB_EVENT_PATH"])
      : namedBase(repository, diffBase));
    if (base === null || "missing" in base) return base;
    const named = base.revision.replace(/^([0-9a-f]{12})[0-9a-f]{28,}$/, "$1");
    return await changesSince(io, repository, named, deployments, inputs);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { missing: shown`git could not read the base: ${error.message}; ${error.help}`, isFault: diffBase !== AUTO };
  }
}
