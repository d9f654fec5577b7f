import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { DiagnosticView } from "../diagnostics/view.ts";
import { diagnosticView } from "../diagnostics/view.ts";
import { runRules } from "../rules/run-rules.ts";
import { deploymentView } from "../views/deployment-view.ts";
import { findDeployments, nearestConfig } from "../workspace/find-deployments.ts";
import { loadFound } from "../workspace/load-deployment.ts";
import { CONFIG_NAME, isInside } from "../workspace/paths.ts";
import { kindAt } from "../workspace/read-file.ts";

/** A deployment as an editor sees it: with the texts that are not saved yet. Names of files are relative to its directory. */
export interface Judged {
  readonly config: string;
  readonly directory: string;
  /** Null where it could not be read. */
  readonly deployment: Deployment | null;
  /** With the changes that a fix makes. */
  readonly diagnostics: readonly Diagnostic[];
  /** The same in the same order, masked: what may be shown. */
  readonly views: readonly DiagnosticView[];
}

/** The deployments of the folders that an editor has open, and the texts that it holds. */
export class Workspace {
  /** By absolute path. */
  readonly unsaved = new Map<string, string>();

  /** Judges the deployment of a config. Never throws for what stands in its files. */
  judge(config: string): Judged {
    const directory = dirname(config);
    const { deployment, problem } = loadFound(
      { path: config, file: CONFIG_NAME },
      { cwd: directory, unsaved: this.unsaved },
    );
    if (deployment === undefined)
      return { config, directory, deployment: null, diagnostics: [problem], views: [diagnosticView(problem)] };
    const diagnostics = runRules(deployment);
    const views = deploymentView(deployment, diagnostics, false).diagnostics;
    return { config, directory, deployment, diagnostics, views };
  }

  /** The config whose deployment a file belongs to; null where it belongs to none. */
  configOf(path: string): string | null {
    if (path.endsWith(`/${CONFIG_NAME}`) || path.endsWith(`\\${CONFIG_NAME}`)) return path;
    const near = nearestConfig(dirname(path)) ?? this.#unsavedConfigAbove(path);
    const isRead =
      near !== null &&
      /^(?:\.env|package\.json|(?:sandbox|plugins|skills)(?:[\\/].*)?)$/.test(path.slice(dirname(near).length + 1));
    return isRead ? near : null;
  }

  #unsavedConfigAbove(path: string): string | null {
    const configs = [...this.unsaved.keys()].filter(
      (open) => open.endsWith(CONFIG_NAME) && isInside(path, dirname(open)),
    );
    return configs.sort((a, b) => b.length - a.length)[0] ?? null;
  }

  /** Every config in and below some folders. */
  configsBelow(folders: readonly string[]): string[] {
    const there = folders.filter((folder) => kindAt(folder) === "directory");
    const { configs } = there.length === 0 ? { configs: [] } : findDeployments(there, "/");
    return configs.flatMap(({ path }) => path ?? []);
  }

  /** True for a config that is there, or is open. */
  isThere(config: string): boolean {
    return this.unsaved.has(config) || kindAt(config) === "file";
  }
}

/** The path of a `file:` address; null for any other. */
export function pathOf(uri: string): string | null {
  try {
    return uri.startsWith("file:") ? resolve(fileURLToPath(uri)) : null;
  } catch {
    return null;
  }
}

/** The address of a file that a diagnostic names. */
export function uriOf({ directory }: Judged, file: string): string {
  return pathToFileURL(join(directory, file)).href;
}
