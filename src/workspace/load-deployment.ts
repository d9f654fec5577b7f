import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadConfig } from "../config/load.ts";
import type { LoadedConfig } from "../config/loaded.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { DeploymentInputs, EnvFileInput } from "../deployment/inputs.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { directoryOf, type FoundConfig } from "./find-deployments.ts";
import { CONFIG_NAME, displayJoin, displayName, entryPath } from "./paths.ts";
import { type ParentCache, readPackageFiles } from "./package-files.ts";
import { emptyPathProblem } from "./input-problem.ts";
import { readSkillsPaths } from "./skills-paths.ts";
import { readOptionalTextFile, readTextFile } from "./read-file.ts";
import { readTree } from "./directory-tree.ts";

/** How to read deployments. */
export interface LoadOptions {
  /** Reports name files relative to it. */
  readonly cwd: string;
  /** Read instead of the `.env` beside the config; must exist then. */
  readonly envFile?: string | undefined;
  /** From the command line. */
  readonly release?: string | undefined;
  readonly target?: string | undefined;
  /** Text of stdin, for a config that has no path. */
  readonly stdin?: string | undefined;
  /** Shared by the deployments of one run; not needed for one. */
  readonly parents?: ParentCache;
}

export type LoadOutcome =
  | { readonly deployment: Deployment; readonly problem?: never }
  | { readonly deployment?: never; readonly problem: Diagnostic };

type EnvOutcome = { readonly env: EnvFileInput | null } | { readonly problem: Diagnostic };

function readEnv(directory: string | null, options: LoadOptions): EnvOutcome {
  const { envFile, cwd } = options;
  if (envFile === undefined && directory === null) return { env: null };
  const path = envFile === undefined ? entryPath(directory as string, ".env") : resolve(cwd, envFile);
  const file = displayName(path, cwd);
  // A deployment needs no `.env`; one that is there and cannot be read, or that was named, is a problem all the same.
  const read = envFile === undefined ? readOptionalTextFile(path, file) : readTextFile(path, file);
  if (read === null) return { env: null };
  return read.file === undefined
    ? { problem: read.problem }
    : { env: { file, text: read.file.text, mode: read.file.mode } };
}

/** Levels of directories that a sandbox layer may have. */
const SANDBOX_DEPTH = 32;

/** Reads the facts from disk that resolving and rules need. `directory` null: stdin, which has no surroundings. */
export function readInputs(
  source: SourceFile,
  loaded: LoadedConfig,
  directory: string | null,
  env: EnvFileInput | null,
  options: LoadOptions,
): DeploymentInputs {
  const flags = { release: options.release ?? null, target: options.target ?? null };
  if (directory === null) {
    return {
      config: source,
      directory: null,
      envFile: env,
      packageFiles: [],
      sandboxTree: [],
      pluginsTree: [],
      skillsPaths: [],
      flags,
    };
  }
  return {
    config: source,
    directory: displayName(directory, options.cwd),
    envFile: env,
    packageFiles: readPackageFiles(directory, options.cwd, options.parents ?? new Map()),
    sandboxTree: readTree(entryPath(directory, "sandbox"), "sandbox", { depth: SANDBOX_DEPTH, opens: () => true }),
    pluginsTree: readTree(entryPath(directory, "plugins"), "plugins", {
      depth: 2,
      opens: (path) => path.endsWith("/Dockerfile"),
      followsDirectories: true,
    }),
    skillsPaths: readSkillsPaths(loaded.config.skills ?? [], directory),
    flags,
  };
}

/** Reads and resolves one deployment. Never throws for what stands in its files. */
export function loadFound(config: FoundConfig, options: LoadOptions): LoadOutcome {
  const directory = directoryOf(config);
  let text = options.stdin ?? "";
  if (config.path !== null) {
    const read = readTextFile(config.path, config.file);
    if (read.problem !== undefined) return { problem: read.problem };
    text = read.file.text;
  }
  const env = readEnv(directory, options);
  if ("problem" in env) return { problem: env.problem };
  const source: SourceFile = { file: config.file, text };
  const loaded = loadConfig(source);
  return { deployment: resolveDeployment(readInputs(source, loaded, directory, env.env, options), loaded) };
}

/** False also for what may not be looked at: reading it says why. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/**
 * Reads and resolves the deployment at a path: its directory, or the config file itself. Says why it could not be read
 * as a finding with an `input/*` rule; never throws for what stands in the files.
 */
export function loadDeployment(path: string, options: Partial<LoadOptions> = {}): LoadOutcome {
  if (path === "") return { problem: emptyPathProblem() };
  const cwd = options.cwd ?? process.cwd();
  const given = resolve(cwd, path);
  const config = isDirectory(given) ? join(given, CONFIG_NAME) : given;
  return loadFound({ path: config, file: displayName(config, cwd) }, { ...options, cwd });
}

/** Texts that diagnostics of a deployment may point into, by the name that they use. */
export function sourcesOf(deployment: Deployment): Map<string, string> {
  const { config, envFile, packageFiles, sandboxTree, pluginsTree, directory } = deployment.inputs;
  const sources = new Map<string, string>();
  for (const source of [...packageFiles, ...(envFile === null ? [] : [envFile]), config])
    sources.set(source.file, source.text);
  for (const entry of [...sandboxTree, ...pluginsTree]) {
    if (entry.text !== null) sources.set(displayJoin(directory ?? ".", entry.path), entry.text);
  }
  return sources;
}
