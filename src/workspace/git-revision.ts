import { realpathSync, statSync } from "node:fs";
import { dirname, posix, relative, resolve, sep } from "node:path";
import { loadConfig } from "../config/load.ts";
import type { PackageFile, SkillsPath } from "../deployment/inputs.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import { GitError, type Repository, runGit } from "./git.ts";
import { listTree, readBlobs, readGitTree } from "./git-tree.ts";
import type { LoadOptions, LoadOutcome } from "./load-deployment.ts";
import { CONFIG_NAME, displayJoin } from "./paths.ts";
import { pinsRelease } from "./package-files.ts";
import { inputProblem } from "./input-problem.ts";
import { textOf } from "./read-file.ts";

/** A deployment at a revision: `HEAD~1:`, `main:deployments/acme`, `v2:./sub`. */
export interface RevisionName {
  readonly revision: string;
  readonly path: string;
}

/** Reads `<revision>:<path>`; null for a text that is no such thing. */
export function readRevisionName(text: string): RevisionName | null {
  const colon = text.indexOf(":");
  return colon <= 0 ? null : { revision: text.slice(0, colon), path: text.slice(colon + 1) };
}

/** Where to look, apart from what {@link LoadOptions} say. */
export interface RevisionOptions extends Pick<LoadOptions, "cwd" | "release" | "target"> {
  /** The directory that an empty path stands for, absolute. */
  readonly beside: string;
  /** Ends the reading when aborted: the promise is then rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Something that is not there; turned into a problem at the edge. */
class NotThere extends Error {}

async function objectAt(repository: Repository, name: string): Promise<{ id: string; type: string } | null> {
  // The answer is one line for the one that is asked.
  if (/[\n\r]/.test(name)) return null;
  const answer = (await runGit(repository, ["cat-file", "--batch-check"], `${name}\n`)).toString("utf8");
  const match = /^([0-9a-f]{40,64}) (\w+) \d+\n$/.exec(answer);
  return match === null ? null : { id: match[1] as string, type: match[2] as string };
}

/** The commit that a revision names. A text that git could take for an option is none: no name of git's begins with a hyphen. */
async function commitOf(repository: Repository, revision: string): Promise<string> {
  const isSound = !revision.startsWith("-") && !/[\0\n\r]/.test(revision);
  const found = isSound ? await objectAt(repository, `${revision}^{commit}`) : null;
  if (found === null) throw new NotThere(`there is no revision \`${revision}\``);
  return found.id;
}

/** The path below the root of the repository: empty for the directory beside, `./x` from the working directory, else from the root. */
async function pathInRepository(
  repository: Repository,
  { path }: RevisionName,
  { cwd, beside }: RevisionOptions,
): Promise<string> {
  if (path !== "" && !/^\.\.?(?:\/|$)/.test(path)) return posix.normalize(path).replace(/\/$/, "");
  const top = (await runGit(repository, ["rev-parse", "--show-toplevel"])).toString("utf8").replace(/\n$/, "");
  const from = realpathSync(path === "" ? beside : cwd);
  return relative(realpathSync(top), path === "" ? from : resolve(from, path))
    .split(sep)
    .join("/");
}

/** The package.json files that may pin the release: the deployment's own, and the nearest above it that does. */
async function packageFiles(
  repository: Repository,
  commit: string,
  directory: string,
  revision: string,
): Promise<PackageFile[]> {
  const found: PackageFile[] = [];
  for (let at = directory, relation: PackageFile["relation"] = "own"; ; at = posix.dirname(at), relation = "parent") {
    const isRoot = at === "." || at === "";
    const path = isRoot ? "package.json" : `${at}/package.json`;
    const file = `${revision}:${path}`;
    const text = await textAt(repository, `${commit}:${path}`, file);
    const candidate = text === null ? null : { file, text, relation };
    if (candidate !== null && (relation === "own" || pinsRelease(candidate))) found.push(candidate);
    if (isRoot || found.at(-1)?.relation === "parent") return found;
  }
}

async function textAt(repository: Repository, name: string, file: string): Promise<string | null> {
  const object = await objectAt(repository, name);
  const bytes = object?.type === "blob" ? (await readBlobs(repository, [{ ...object, size: 0 }])).get(object.id) : null;
  const read = bytes == null ? null : textOf(bytes, file);
  return read !== null && "text" in read ? read.text : null;
}

async function skillsPaths(repository: Repository, tree: string, written: readonly string[]): Promise<SkillsPath[]> {
  const paths: SkillsPath[] = [];
  for (const path of written) {
    const normal = posix.normalize(path).replace(/\/$/, "");
    const isOutside = normal.startsWith("../") || normal === ".." || normal.startsWith("/");
    const object = isOutside ? null : await objectAt(repository, normal === "." ? tree : `${tree}:${normal}`);
    paths.push({
      written: path,
      kind: isOutside ? "outside" : object === null ? "missing" : object.type === "tree" ? "directory" : "other",
    });
  }
  return paths;
}

async function load(name: RevisionName, options: RevisionOptions): Promise<LoadOutcome> {
  const repository: Repository = { directory: name.path === "" ? options.beside : options.cwd, signal: options.signal };
  const commit = await commitOf(repository, name.revision);
  const path = await pathInRepository(repository, name, options);
  if (path.startsWith("../") || path === "..") throw new NotThere(`\`${name.path}\` is outside the repository`);
  const object = await objectAt(repository, `${commit}:${path === "." ? "" : path}`);
  if (object === null) throw new NotThere(`\`${name.revision}\` has no \`${path}\``);
  const directory = object.type === "tree" ? path : posix.dirname(path);
  const tree =
    object.type === "tree"
      ? object.id
      : (await objectAt(repository, `${commit}:${directory === "." ? "" : directory}`))?.id;
  const configName = object.type === "tree" ? CONFIG_NAME : posix.basename(path);
  const entries = await listTree(repository, tree as string, false);
  const entry = entries.find((one) => one.path === configName && one.type === "blob");
  const shown = displayJoin(directory === "" ? "." : directory, configName);
  if (entry === undefined) throw new NotThere(`\`${name.revision}\` has no \`${shown}\``);
  const file = `${name.revision}:${shown}`;
  const read = textOf((await readBlobs(repository, [entry])).get(entry.id) ?? Buffer.alloc(entry.size), file);
  if ("problem" in read) return read;
  const config = { file, text: read.text };
  const loaded = loadConfig(config);
  const inputs = {
    config,
    directory: `${name.revision}:${directory}`,
    envFile: null,
    packageFiles: await packageFiles(repository, commit, directory, name.revision),
    sandboxTree: await readGitTree(repository, entries, "sandbox"),
    pluginsTree: await readGitTree(repository, entries, "plugins"),
    skillsPaths: await skillsPaths(repository, tree as string, loaded.config.skills ?? []),
    flags: { release: options.release ?? null, target: options.target ?? null },
  };
  return { deployment: resolveDeployment(inputs, loaded) };
}

/**
 * Reads and resolves a deployment at a git revision, without a checkout and without `.env`. Never throws for what stands in
 * the repository, and for an aborted signal alone; what could not be read is a problem.
 */
export async function loadRevision(name: RevisionName, options: RevisionOptions): Promise<LoadOutcome> {
  const shown = `${name.revision}:${name.path}`;
  try {
    return await load(name, options);
  } catch (error) {
    if (error instanceof NotThere)
      return {
        problem: inputProblem(
          "missing",
          shown,
          error.message,
          "name a revision that `git log` shows and a path below the root of the repository, such as `main:deployments/acme`",
        ),
      };
    if (!(error instanceof GitError)) throw error;
    const help = error.isAbsent
      ? "install git, or name directories"
      : "run this inside a git repository, or name directories";
    return { problem: inputProblem("unreadable", shown, `git could not read it: ${error.message}`, help) };
  }
}

/** The directory that a path on disk stands for, for revisions that are named without one. */
export function directoryBeside(path: string, cwd: string): string {
  const given = resolve(cwd, path);
  return statSync(given, { throwIfNoEntry: false })?.isDirectory() === true ? given : dirname(given);
}
