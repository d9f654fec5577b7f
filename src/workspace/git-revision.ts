import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { dirname, posix, relative, resolve } from "node:path";
import { tidyPath } from "../base/relative-path.ts";
import { compareText } from "../base/text-order.ts";
import { loadConfig } from "../config/load.ts";
import type { SkillsPath, TreeEntry } from "../deployment/inputs.ts";
import { packageFiles, type PackageFiles, speaksForBelow } from "../deployment/release/package-files.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import { askGit, GitError, type GitEntry, listTree, readObjects, type Repository } from "./git.ts";
import { inputProblem, MAX_TEXT_BYTES } from "../diagnostics/input-problem.ts";
import type { LoadOptions, LoadOutcome } from "./load-deployment.ts";
import { packageOutcome } from "./package-files.ts";
import { CONFIG_NAME, displayJoin, withSlashes } from "./paths.ts";
import { kindAt, textOf } from "./read-file.ts";

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

/** Turned into a problem at the edge. */
class NotThere extends Error {}

/** The commit that a revision names. A text that git could take for an option is none: no name of git's begins with a hyphen. */
async function commitOf(repository: Repository, revision: string): Promise<string> {
  const [found = null] = revision.startsWith("-") ? [] : await readObjects(repository, [`${revision}^{commit}`]);
  if (found !== null) return found.id;
  if (!(await lacksObject(repository, revision))) throw new NotThere("there is no such revision");
  throw new GitError(
    "the repository lacks the commit that this names",
    "other",
    "`git fsck` shows what else is missing",
  );
}

/** True for a name that stands for an object which is not there. Whole ids do not count: git takes any for one of something. */
async function lacksObject(repository: Repository, revision: string): Promise<boolean> {
  if (revision.startsWith("-") || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(revision)) return false;
  try {
    const id = await askGit(repository, ["rev-parse", "--verify", "--quiet", revision]);
    return (await readObjects(repository, [id]))[0] === null;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** The path below the root of the repository: empty for the directory beside, `./x` from the working directory, else from the root. */
async function pathInRepository(
  repository: Repository,
  { path }: RevisionName,
  { cwd, beside }: RevisionOptions,
): Promise<string> {
  if (path !== "" && !/^\.\.?(?:\/|$)/.test(path)) return posix.normalize(path).replace(/\/$/, "");
  const top = realpathSync(await askGit(repository, ["rev-parse", "--show-toplevel"]));
  return withSlashes(relative(top, path === "" ? realpathSync(beside) : resolve(realpathSync(cwd), path)));
}

/** The package.json files that may pin the release, from the deployment's directory to the root of the repository. */
async function readPackages(
  repository: Repository,
  commit: string,
  directory: string,
  revision: string,
): Promise<PackageFiles> {
  const paths = [posix.join(directory, "package.json")];
  for (let at = directory; at !== "." && at !== "";) {
    at = posix.dirname(at);
    paths.push(posix.join(at, "package.json"));
  }
  const names = paths.map((path) => `${commit}:${path}`);
  const objects = await readObjects(repository, names);
  const [own = null, ...above] = objects.map((object, at) => {
    const file = `${revision}:${paths[at]}`;
    const read = object?.type === "blob" ? textOf(object.content, file) : null;
    const outcome = read === null || "problem" in read ? read : { file: { file, text: read.text, mode: null } };
    return packageOutcome(outcome, at === 0 ? "own" : "parent");
  });
  return packageFiles(own, () => above.find(speaksForBelow) ?? null);
}

async function skillsPaths(repository: Repository, tree: string, written: readonly string[]): Promise<SkillsPath[]> {
  const paths = written.map(tidyPath);
  const inside = paths.filter((path) => path !== null);
  const names = inside.map((path) => (path === "." ? tree : `${tree}:${path}`));
  const objects = await readObjects(repository, names);
  return paths.map((path, at) => {
    const type = path === null ? undefined : objects[inside.indexOf(path)]?.type;
    const found = type === undefined ? "missing" : type === "tree" ? "directory" : "other";
    const kind = path === null ? "outside" : path === "." ? "deployment" : found;
    return { written: written[at] as string, kind };
  });
}

const KINDS: { readonly [mode: string]: TreeEntry["kind"] } = {
  "040000": "directory",
  "100644": "file",
  "100755": "file",
  "120000": "symlink",
};

/** Everything below a directory of a tree, as it would be read from disk; empty where there is no such directory. */
async function readTree(repository: Repository, entries: readonly GitEntry[], name: string): Promise<TreeEntry[]> {
  const root = entries.find(({ path, type }) => path === name && type === "tree");
  const below = root === undefined ? [] : await listTree(repository, root.id, true);
  const isRead = ({ mode, size }: GitEntry): boolean => KINDS[mode] === "file" && size <= MAX_TEXT_BYTES;
  const ids = [...new Set(below.filter(isRead).map(({ id }) => id))];
  const contents = new Map((await readObjects(repository, ids)).map((object) => [object?.id, object?.content]));
  const tree = below.map(({ path, mode, size, id }): TreeEntry => {
    const base = { path: `${name}/${path}`, kind: KINDS[mode] ?? "other", leadsTo: null };
    if (base.kind !== "file") return { ...base, size: 0, mode: null, text: null, isText: true };
    const bytes = contents.get(id);
    const isText = bytes === undefined || (isUtf8(bytes) && !bytes.includes(0));
    const text = isText ? (bytes?.toString("utf8") ?? null) : null;
    return { ...base, size, mode: mode === "100755" ? 0o755 : 0o644, text, isText };
  });
  return tree.sort((a, b) => compareText(a.path, b.path));
}

async function load(name: RevisionName, options: RevisionOptions): Promise<LoadOutcome> {
  const { revision } = name;
  const repository: Repository = { directory: name.path === "" ? options.beside : options.cwd, signal: options.signal };
  const commit = await commitOf(repository, revision);
  const path = await pathInRepository(repository, name, options);
  if (/^\.\.(?:\/|$)/.test(path)) throw new NotThere(`\`${name.path}\` is outside the repository`);
  const treeName = (at: string): string => `${commit}:${at === "." ? "" : at}`;
  const [object, above] = await readObjects(repository, [treeName(path), treeName(posix.dirname(path))]);
  if (object == null) throw new NotThere(`\`${revision}\` has no \`${path}\``);
  const isDirectory = object.type === "tree";
  const directory = isDirectory ? path : posix.dirname(path);
  const tree = (isDirectory ? object : above)?.id ?? "";
  const entries = await listTree(repository, tree, false);
  const configName = isDirectory ? CONFIG_NAME : posix.basename(path);
  const shown = displayJoin(directory === "" ? "." : directory, configName);
  const entry = entries.find((one) => one.path === configName && one.type === "blob");
  if (entry === undefined) throw new NotThere(`\`${revision}\` has no \`${shown}\``);
  const [config] = await readObjects(repository, [entry.id]);
  const read = textOf(config?.content ?? Buffer.alloc(0), `${revision}:${shown}`);
  if ("problem" in read) return read;
  const source = { file: `${revision}:${shown}`, text: read.text };
  const loaded = loadConfig(source);
  const packages = await readPackages(repository, commit, directory, revision);
  const inputs = {
    config: source,
    directory: `${revision}:${directory}`,
    envFile: null,
    packageFiles: packages.files,
    unreadPackages: packages.problems,
    sandboxTree: await readTree(repository, entries, "sandbox"),
    pluginsTree: await readTree(repository, entries, "plugins"),
    skillsPaths: await skillsPaths(repository, tree, loaded.config.skills ?? []),
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
    if (error instanceof NotThere) {
      const help =
        "name a revision that `git log` shows and a path below the root of the repository, such as `main:deployments/acme`";
      return { problem: inputProblem("missing", shown, error.message, help) };
    }
    if (!(error instanceof GitError)) throw error;
    const help = `${error.help}, or name directories`;
    return { problem: inputProblem("unreadable", shown, `git could not read it: ${error.message}`, help) };
  }
}

/** The directory that a path on disk stands for, for revisions that are named without one. */
export function directoryBeside(path: string, cwd: string): string {
  const given = resolve(cwd, path);
  return kindAt(given) === "directory" ? given : dirname(given);
}
