/** The versions of npm that people install with, each on the Node that it needs. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainEnv } from "../cli/built.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";

export interface Toolchain {
  readonly name: string;
  readonly isThere: boolean;
  /** The environment of a shell that has it, with caches of its own and no registry to reach. */
  env(): { readonly [name: string]: string };
}

const NODE_24 = process.env["QM_DEPLOY_NODE_24"] ?? "";
const NPM_12 = process.env["QM_DEPLOY_NPM_12"] ?? "";

/** Nothing answers there: an install that asks a registry fails. */
const NO_REGISTRY = "http://127.0.0.1:9/";

function environment(path: string): { [name: string]: string } {
  const home = tempDirectory();
  return plainEnv({
    PATH: path,
    HOME: home,
    npm_config_cache: join(home, "cache"),
    npm_config_registry: NO_REGISTRY,
    npm_config_update_notifier: "false",
    npm_config_fetch_retries: "0",
    GIT_CONFIG_NOSYSTEM: "1",
  });
}

/** A directory for PATH with Node 24, and npm 12 on it. */
function npm12Directory(): string {
  const directory = tempDirectory();
  symlinkSync(NODE_24, join(directory, "node"));
  for (const name of ["npm", "npx"]) {
    const cli = join(dirname(NPM_12), `${name}-cli.js`);
    addFiles(directory, { [name]: `#!/bin/sh\nexec "${join(directory, "node")}" "${cli}" "$@"\n` });
    chmodSync(join(directory, name), 0o755);
  }
  return directory;
}

export const TOOLCHAINS: readonly Toolchain[] = [
  {
    name: "this npm on this Node",
    isThere: true,
    env: () => environment(`${dirname(process.execPath)}:${process.env["PATH"]}`),
  },
  {
    name: "npm 12 on Node 24 (where QM_DEPLOY_NPM_12 and QM_DEPLOY_NODE_24 name them)",
    isThere: existsSync(NPM_12) && existsSync(NODE_24),
    env: () => environment(`${npm12Directory()}:${process.env["PATH"]}`),
  },
];

/** Runs a program in a directory; its output and errors as one text. */
export function run(program: string, args: readonly string[], cwd: string, env: { readonly [name: string]: string }) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (error !== undefined) throw error;
  return { status, stdout, text: stdout + stderr };
}
