import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { compareText } from "../base/text-order.ts";
import { MANIFEST, PROJECTION } from "../deployment/rendered-names.ts";
import {
  CONFIG_NAME,
  directoriesUp,
  displayName,
  entryPath,
  isInside,
  realPath,
  STDIN_NAME,
  withSlashes,
} from "./paths.ts";
import { emptyPathProblem, inputProblem } from "../diagnostics/input-problem.ts";
import { fileSystemProblem, HOW_TO_HAVE_ONE, kindAt, readTextFile } from "./read-file.ts";

/** A config to read: a file, or stdin (`path` null). */
export interface FoundConfig {
  readonly path: string | null;
  readonly file: string;
}

export interface Found {
  /** Sorted by name, without duplicates. */
  readonly configs: readonly FoundConfig[];
  readonly problems: readonly Diagnostic[];
}

/** Directories in which no deployment of the user stands. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** What `render` writes beside a config; the projection in it for qm's own CLI is no deployment of its own. */
const RENDERED = "rendered";

/** More directories than this are not looked through behind links: one that leads to a disk must not hang a check. */
const MAX_LINKED = 20_000;

/**
 * True for the config that `render` made for qm's own command line, wherever it was told to put it: the manifest beside
 * it says so. A manifest that somebody broke still names it.
 */
export function isProjection(config: string): boolean {
  if (!withSlashes(config).endsWith(`/${PROJECTION}`)) return false;
  const manifest = join(dirname(dirname(config)), MANIFEST);
  return readTextFile(manifest, manifest).file?.text.includes(JSON.stringify(PROJECTION)) ?? false;
}

/** Why a config that `render` made is not judged. */
export function projectionProblem(file: string): Diagnostic {
  const message = "`render` made this file for qm's own command line; it is no deployment";
  return inputProblem("no-deployment", file, message, "name the deployment that it was rendered from");
}

/** A config found in a search, with the directory that it really lies in. */
interface Place {
  readonly path: string;
  readonly real: string;
}

/** The search of one directory. */
class Search {
  readonly found: Place[] = [];
  readonly #root: string;
  readonly #cwd: string;
  readonly #problems: Diagnostic[];
  readonly #seen = new Set<string>();

  constructor(root: string, cwd: string, problems: Diagnostic[]) {
    this.#root = realpathSync(root);
    this.#cwd = cwd;
    this.#problems = problems;
  }

  /**
   * Finds every config below the root: first what lies there itself, then what is behind links to directories, each real
   * directory once and none that the root is in, so that the search ends.
   */
  run(root: string): Place[] {
    let links = this.#walk(root, this.#root, Infinity);
    const most = this.#seen.size + MAX_LINKED;
    while (links.length > 0) {
      const further: string[] = [];
      for (const link of links.sort(compareText)) {
        const real = kindAt(link) === "directory" ? realPath(link) : null;
        if (real !== null && !isInside(this.#root, real)) further.push(...this.#walk(link, real, most));
      }
      links = further;
    }
    return this.found;
  }

  /** Looks through a directory and those below it; gives back the links in them. */
  #walk(top: string, realTop: string, most: number): string[] {
    const links: string[] = [];
    const pending: Place[] = [{ path: top, real: realTop }];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (this.#seen.has(at.real)) continue;
      if (this.#seen.size >= most) {
        this.#problems.push(tooManyLinked(displayName(top, this.#cwd)));
        return [];
      }
      this.#seen.add(at.real);
      this.#look(at, pending, links);
    }
    return links;
  }

  #look(at: Place, pending: Place[], links: string[]): void {
    let entries: Dirent[];
    try {
      entries = readdirSync(at.path, { withFileTypes: true });
    } catch (error) {
      this.#problems.push(fileSystemProblem(error, displayName(at.path, this.#cwd)));
      return;
    }
    const config = entryPath(at.path, CONFIG_NAME);
    const isThere = entries.some((entry) => entry.name === CONFIG_NAME && !entry.isDirectory());
    if (isThere && !isProjection(config)) this.found.push({ path: config, real: at.real });
    for (const entry of entries) {
      if (SKIPPED.has(entry.name) || (isThere && entry.name === RENDERED)) continue;
      const path = entryPath(at.path, entry.name);
      if (entry.isDirectory()) pending.push({ path, real: entryPath(at.real, entry.name) });
      else if (entry.isSymbolicLink()) links.push(path);
    }
  }
}

function tooManyLinked(file: string): Diagnostic {
  const message = `the links here lead to more than ${MAX_LINKED} directories, so not all of them were searched`;
  return inputProblem("too-large", file, message, "name the deployments that you mean");
}

function configsAt(given: string, cwd: string, problems: Diagnostic[]): Place[] {
  if (given === "") {
    problems.push(emptyPathProblem());
    return [];
  }
  const path = resolve(cwd, given);
  try {
    // A config that leads to a directory is an unusable config, and that directory is not meant.
    if (basename(path) === CONFIG_NAME || !statSync(path).isDirectory())
      return [{ path, real: realpathSync(dirname(path)) }];
    const before = problems.length;
    const found = new Search(path, cwd, problems).run(path);
    if (found.length === 0 && problems.length === before) problems.push(noDeployment(displayName(path, cwd)));
    return found;
  } catch (error) {
    problems.push(fileSystemProblem(error, displayName(path, cwd)));
    return [];
  }
}

function noDeployment(file: string): Diagnostic {
  const message = `there is no ${CONFIG_NAME} here or below`;
  return inputProblem("no-deployment", file, message, HOW_TO_HAVE_ONE, "qm-deploy init");
}

/** Without a path: the deployment in the working directory, else those below it, else the nearest above it. */
function configsHere(cwd: string, problems: Diagnostic[]): Place[] {
  const nearest = nearestConfig(cwd);
  if (nearest !== null && dirname(nearest) === cwd) return [{ path: nearest, real: cwd }];
  const own: Diagnostic[] = [];
  const below = configsAt(".", cwd, own);
  const isLost = below.length === 0 && own.every(({ rule }) => rule === "input/no-deployment");
  if (isLost && nearest !== null) return [{ path: nearest, real: dirname(nearest) }];
  problems.push(...own);
  return below;
}

/**
 * The deployments that the paths of a command line stand for. A file is that config, `-` is stdin, a directory is
 * every `qm.config.jsonc` in and below it (not in `node_modules`, `.git` or what was rendered), links to directories
 * included. Without a path it is the deployment in the working directory, or those below it, or the nearest above it.
 */
export function findDeployments(paths: readonly string[], cwd: string): Found {
  const problems: Diagnostic[] = [];
  const configs = new Map<string, FoundConfig>();
  const add = ({ path, real }: Place): void => {
    const key = entryPath(real, basename(path));
    // What is reached in two ways is one deployment.
    if (!configs.has(key)) configs.set(key, { path, file: displayName(path, cwd) });
  };
  if (paths.length === 0) configsHere(cwd, problems).forEach(add);
  for (const given of paths) {
    if (given === "-") configs.set(STDIN_NAME, { path: null, file: STDIN_NAME });
    else configsAt(given, cwd, problems).forEach(add);
  }
  return { configs: [...configs.values()].sort((a, b) => compareText(a.file, b.file)), problems };
}

/**
 * The config in a directory, else in the nearest one above it, no further than the root of its repository; null where
 * there is none.
 */
export function nearestConfig(directory: string): string | null {
  for (const at of directoriesUp(directory)) {
    const config = entryPath(at, CONFIG_NAME);
    const kind = kindAt(config);
    if (kind !== null && kind !== "directory" && !isProjection(config)) return config;
  }
  return null;
}

/** The config of the one deployment that a path stands for: the file itself, or the one in that directory. It need not exist. */
export function configAt(path: string, cwd: string): FoundConfig & { readonly path: string } {
  const given = resolve(cwd, path);
  const config = kindAt(given) === "directory" ? join(given, CONFIG_NAME) : given;
  return { path: config, file: displayName(config, cwd) };
}

export function directoryOf(config: FoundConfig): string | null {
  return config.path === null ? null : dirname(config.path);
}
