import { resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { PLUGINS_EXTENT, SANDBOX_EXTENT } from "../deployment/files.ts";
import type { DeploymentInputs, TreeEntry } from "../deployment/inputs.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { blankerFor } from "../views/value-mask.ts";
import { configAt, directoryOf, type FoundConfig, isProjection, projectionProblem } from "./find-deployments.ts";
import { displayJoin, displayName, entryPath } from "./paths.ts";
import { type ParentCache, readPackageFiles } from "./package-files.ts";
import { emptyPathProblem, MAX_TEXT_BYTES, tooLargeProblem } from "../diagnostics/input-problem.ts";
import { readOptionalTextFile, readTextFile } from "./read-file.ts";
import type { ReadOutcome } from "./text-file.ts";
import { type PipeCache, readNamedFile } from "./read-pipe.ts";
import { readSkillsPaths, readTree } from "./directory-tree.ts";

/** How to read deployments. */
export interface LoadOptions {
  /** Reports name files relative to it. */
  readonly cwd: string;
  /** Read instead of the `.env` beside the config; must exist then. */
  readonly envFile?: string | undefined;
  readonly release?: string | undefined;
  readonly target?: string | undefined;
  /** Text of stdin, for a config that has no path. */
  readonly stdin?: string | undefined;
  /** Shared by the deployments of one run; not needed for one. */
  readonly parents?: ParentCache;
  /** As `parents`; without it `envFile` may not be a pipe. */
  readonly pipes?: PipeCache | null;
  /** Texts that an editor holds, by absolute path: they count in the place of what is on disk. */
  readonly unsaved?: ReadonlyMap<string, string>;
  /** As for `loadConfig`: how many findings of shape are listed. */
  readonly most?: number;
}

export type LoadOutcome =
  | { readonly deployment: Deployment; readonly problem?: never }
  | { readonly deployment?: never; readonly problem: Diagnostic };

/** The `.env` of a deployment: none is needed, but one that is there or was named must be readable. */
function readEnv(directory: string | null, options: LoadOptions): ReadOutcome | null {
  const { envFile, cwd, pipes = null } = options;
  if (envFile !== undefined) return readNamedFile(resolve(cwd, envFile), displayName(envFile, cwd), pipes);
  if (directory === null) return null;
  const path = entryPath(directory, ".env");
  return readUnsaved(path, displayName(path, cwd), options) ?? readOptionalTextFile(path, displayName(path, cwd));
}

/** A text that an editor holds, as if it had been read; null where it holds none. */
function readUnsaved(path: string, file: string, { unsaved }: LoadOptions): ReadOutcome | null {
  const text = unsaved?.get(path);
  if (text === undefined) return null;
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return { problem: tooLargeProblem(file) };
  return { file: { file, text, mode: null } };
}

/** The facts with the texts that an editor holds of files below the deployment directory. */
function withUnsaved(inputs: DeploymentInputs, directory: string | null, { unsaved }: LoadOptions): DeploymentInputs {
  if (unsaved === undefined || directory === null) return inputs;
  const current = (entry: TreeEntry): TreeEntry => {
    const text = unsaved.get(resolve(directory, entry.path));
    return text === undefined || entry.text === null ? entry : { ...entry, text };
  };
  const own = unsaved.get(entryPath(directory, "package.json"));
  return {
    ...inputs,
    packageFiles: inputs.packageFiles.map((file) =>
      own === undefined || file.relation !== "own" ? file : { ...file, text: own },
    ),
    sandboxTree: inputs.sandboxTree.map(current),
    pluginsTree: inputs.pluginsTree.map(current),
    skillsPaths: inputs.skillsPaths.map((path) =>
      path.tree === undefined ? path : { ...path, tree: { ...path.tree, entries: path.tree.entries.map(current) } },
    ),
  };
}

/** Reads the facts from disk that resolving and rules need, apart from `.env`. `directory` null: stdin, which has no surroundings. */
export function readInputs(
  loaded: LoadedConfig,
  directory: string | null,
  { cwd, parents, release, target }: LoadOptions,
): DeploymentInputs {
  const { file, text } = loaded.document;
  const base = { config: { file, text }, envFile: null, flags: { release: release ?? null, target: target ?? null } };
  if (directory === null)
    return { ...base, directory: null, packageFiles: [], sandboxTree: [], pluginsTree: [], skillsPaths: [] };
  const packages = readPackageFiles(directory, cwd, parents);
  return {
    ...base,
    directory: displayName(directory, cwd),
    packageFiles: packages.files,
    unreadPackages: packages.problems,
    sandboxTree: readTree(entryPath(directory, "sandbox"), "sandbox", SANDBOX_EXTENT),
    pluginsTree: readTree(entryPath(directory, "plugins"), "plugins", { ...PLUGINS_EXTENT, followsDirectories: true }),
    skillsPaths: readSkillsPaths(loaded.config.skills ?? [], directory),
  };
}

/** Reads and resolves one deployment. Never throws for what stands in its files. */
export function loadFound(config: FoundConfig, options: LoadOptions): LoadOutcome {
  const directory = directoryOf(config);
  const read =
    config.path === null
      ? null
      : (readUnsaved(config.path, config.file, options) ?? readTextFile(config.path, config.file));
  if (read?.problem !== undefined) return { problem: read.problem };
  if (config.path !== null && isProjection(config.path)) return { problem: projectionProblem(config.file) };
  const env = readEnv(directory, options);
  if (env?.problem !== undefined) return { problem: env.problem };
  const loaded = loadConfig({ file: config.file, text: read?.file.text ?? options.stdin ?? "" }, options.most);
  const inputs = withUnsaved(readInputs(loaded, directory, options), directory, options);
  return { deployment: resolveDeployment({ ...inputs, envFile: env?.file ?? null }, loaded) };
}

/**
 * Reads and resolves the deployment at a path: its directory, or the config file itself. Says why it could not be read
 * as a finding with an `input/*` rule; never throws for what stands in the files.
 */
export function loadDeployment(path: string, options: Partial<LoadOptions> = {}): LoadOutcome {
  if (path === "") return { problem: emptyPathProblem() };
  const cwd = options.cwd ?? process.cwd();
  return loadUsable(configAt(path, cwd), { ...options, cwd });
}

/** As {@link loadFound}, for whoever goes on with a deployment: also a release that cannot be told is a problem. */
export function loadUsable(config: FoundConfig, options: LoadOptions): LoadOutcome {
  const { deployment, problem } = loadFound(config, options);
  if (problem !== undefined) return { problem };
  // Whoever judges shows this beside all else.
  const unread = deployment.release.source === "default" ? deployment.inputs.unreadPackages?.[0] : undefined;
  return unread === undefined ? { deployment } : { problem: unread };
}

/** How a config begins, or one that lost its brace; a list of users or a file of another program, which a link may lead to, begins otherwise. */
const CONFIG_START = /^\uFEFF?\s*(?:[{["/]|$)/;

/**
 * Texts that diagnostics of a deployment may point into, by the name that they use, as far as they are needed. What `.env` holds for
 * its secrets is blanked out of them. A config that is none is not among them: nobody knows what is secret in it.
 */
export function sourcesOf(
  deployment: Deployment,
  isNeeded: (file: string) => boolean = () => true,
): Map<string, string> {
  const { config, envFile, packageFiles, sandboxTree, pluginsTree, skillsPaths, directory } = deployment.inputs;
  const blank = blankerFor(deployment);
  const sources = new Map<string, string>();
  const add = (file: string, text: string): void => void (isNeeded(file) && sources.set(file, blank(text)));
  const configs = CONFIG_START.test(config.text) ? [config] : [];
  for (const source of [...packageFiles, ...(envFile === null ? [] : [envFile]), ...configs])
    add(source.file, source.text);
  const skills = skillsPaths.flatMap(({ tree }) => tree?.entries ?? []);
  for (const entry of [...sandboxTree, ...pluginsTree, ...skills]) {
    if (entry.text !== null) add(displayJoin(directory ?? ".", entry.path), entry.text);
  }
  return sources;
}
