import { type Dirent, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { compareText } from "../base/text-order.ts";
import { CONFIG_NAME, displayName, entryPath, STDIN_NAME } from "./paths.ts";
import { emptyPathProblem, inputProblem } from "./input-problem.ts";
import { fileSystemProblem, kindAt } from "./read-file.ts";

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

/** Every config below a directory. Links to directories are not followed, so that the search ends. */
function configsBelow(root: string, cwd: string, problems: Diagnostic[]): string[] {
  const found: string[] = [];
  const pending = [root];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    let entries: Dirent[];
    try {
      entries = readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      problems.push(fileSystemProblem(error, displayName(directory, cwd)));
      continue;
    }
    const config = entries.find((entry) => entry.name === CONFIG_NAME && !entry.isDirectory());
    if (config !== undefined) found.push(entryPath(directory, CONFIG_NAME));
    for (const entry of entries) {
      const isSkipped = SKIPPED.has(entry.name) || (config !== undefined && entry.name === RENDERED);
      if (entry.isDirectory() && !isSkipped) pending.push(entryPath(directory, entry.name));
    }
  }
  return found;
}

function configsAt(given: string, cwd: string, isDefault: boolean, problems: Diagnostic[]): string[] {
  if (given === "") {
    problems.push(emptyPathProblem());
    return [];
  }
  const path = resolve(cwd, given);
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (error) {
    problems.push(fileSystemProblem(error, displayName(path, cwd)));
    return [];
  }
  if (!isDirectory) return [path];
  if (isDefault && kindAt(entryPath(path, CONFIG_NAME)) === "file") return [entryPath(path, CONFIG_NAME)];
  const before = problems.length;
  const found = configsBelow(path, cwd, problems);
  if (found.length === 0 && problems.length === before) {
    const message = `there is no ${CONFIG_NAME} here or below`;
    const help = `run \`qm-deploy init\` to make a deployment, or name a directory that holds a ${CONFIG_NAME}`;
    problems.push(inputProblem("no-deployment", displayName(path, cwd), message, help, "qm-deploy init"));
  }
  return found;
}

/**
 * The deployments that the paths of a command line stand for. A file is that config, `-` is stdin, a directory is
 * every `qm.config.jsonc` in and below it (not in `node_modules`, `.git` or what was rendered). Without a path it is
 * the deployment in the working directory, or, where there is none, those below it.
 */
export function findDeployments(paths: readonly string[], cwd: string): Found {
  const problems: Diagnostic[] = [];
  const configs = new Map<string, FoundConfig>();
  for (const given of paths.length === 0 ? ["."] : paths) {
    if (given === "-") {
      configs.set(STDIN_NAME, { path: null, file: STDIN_NAME });
      continue;
    }
    for (const path of configsAt(given, cwd, paths.length === 0, problems)) {
      const file = displayName(path, cwd);
      configs.set(file, { path, file });
    }
  }
  return { configs: [...configs.values()].sort((a, b) => compareText(a.file, b.file)), problems };
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
