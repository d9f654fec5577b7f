import { type FSWatcher, existsSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findDeployments } from "../../../workspace/find-deployments.ts";
import type { ProcessIo } from "../../process-io.ts";

/** Editors write a file in several steps; one run follows the last of them. */
const DEBOUNCE_MS = 120;
/** How often a directory that cannot be watched is looked for again. */
const RETRY_MS = 500;

/** The directories whose changes matter, and whether what is below them does. */
function watchedDirectories(paths: readonly string[], envFile: string | undefined, cwd: string): Map<string, boolean> {
  const watched = new Map<string, boolean>();
  for (const path of paths.length === 0 ? ["."] : paths) watched.set(dirname(resolve(cwd, path, "x")), false);
  for (const { path } of findDeployments(paths, cwd).configs) {
    if (path === null) continue;
    watched.set(dirname(path), false);
    for (const name of ["sandbox", "plugins"]) watched.set(join(dirname(path), name), true);
  }
  if (envFile !== undefined) watched.set(dirname(resolve(cwd, envFile)), false);
  return watched;
}

/** Resolves after the next change of a watched directory, or when `ended` does; true for a change. */
async function nextChange(watched: ReadonlyMap<string, boolean>, ended: Promise<unknown>): Promise<boolean> {
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const changed = new Promise<boolean>((done) => {
    const touch = (delay: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => done(true), delay);
    };
    for (const [directory, recursive] of watched) {
      try {
        watchers.push(watch(directory, { recursive }, () => touch(DEBOUNCE_MS)).on("error", () => touch(RETRY_MS)));
      } catch {
        // A sandbox or plugins directory need not be there; the directory of the deployment itself must come back.
        if (!recursive && !existsSync(directory)) touch(RETRY_MS);
      }
    }
  });
  const result = await Promise.race([changed, ended.then(() => false)]);
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  return result;
}

/** Checks now and after every change, until the user ends it. A config that is gone or broken for a while is reported as such. */
export async function watchPaths(
  io: ProcessIo,
  paths: readonly string[],
  envFile: string | undefined,
  check: () => Promise<unknown>,
): Promise<void> {
  const ended = io.interrupted();
  do {
    if (io.stdout.isTTY === true) io.stdout.write("\u001b[2J\u001b[3J\u001b[H");
    await check();
    io.stdout.write("\nwatching for changes; Ctrl-C ends\n");
  } while (await nextChange(watchedDirectories(paths, envFile, io.cwd), ended));
}
