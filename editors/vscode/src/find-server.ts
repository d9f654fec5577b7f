import { dirname, join, resolve } from "node:path";

/** What is known of a workspace; paths are absolute. */
export interface Surroundings {
  /** The setting `qm-deploy.path`; empty where it is not set. */
  readonly configured: string;
  /** The folders that are open, in the order of the window. */
  readonly folders: readonly string[];
  /** Every `qm.config.jsonc` in them. */
  readonly configs: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly isFile: (path: string) => boolean;
}

/** A program with its arguments; with `shell` the command is quoted for it. */
export interface ServerCommand {
  readonly command: string;
  readonly args: string[];
  readonly shell: boolean;
}

/** The directories between a file and the folder that is open, from the inside out; none where it is in no such folder. */
function directoriesOf(file: string, folders: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = dirname(file); ; at = dirname(at)) {
    found.push(at);
    if (folders.includes(at)) return found;
    if (at === dirname(at)) return [];
  }
}

function started(program: string, platform: NodeJS.Platform): ServerCommand {
  // What npm puts into .bin on Windows is a batch file, which only a shell starts.
  const shell = platform === "win32";
  return { command: shell ? `"${program}"` : program, args: ["lsp", "--stdio"], shell };
}

/** The language server of a workspace, or a sentence that says why there is none. */
export function findServer(surroundings: Surroundings): ServerCommand | string {
  const { configured, folders, configs, platform, isFile } = surroundings;
  if (configured !== "") {
    if (!/[\\/]/.test(configured)) return started(configured, platform);
    const path = resolve(folders[0] ?? "", configured);
    return isFile(path) ? started(path, platform) : `The setting qm-deploy.path names ${path}, which is not a file.`;
  }
  const directories = [...configs].sort().flatMap((config) => directoriesOf(config, folders));
  const name = platform === "win32" ? "qm-deploy.cmd" : "qm-deploy";
  const program = [...directories, ...folders].map((path) => join(path, "node_modules", ".bin", name)).find(isFile);
  return program === undefined
    ? "qm-deploy is not installed in this workspace. Install it with npm beside qm.config.jsonc, as its README says, or name it in the setting qm-deploy.path; then restart the language server."
    : started(program, platform);
}
