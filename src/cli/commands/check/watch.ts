import { type FSWatcher, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ours, plainText, shown } from "../../../base/shown.ts";
import { loadConfig } from "../../../config/load.ts";
import { findDeployments } from "../../../workspace/find-deployments.ts";
import { entriesOnTheWay, isLink } from "../../../workspace/links.ts";
import { isOwnTemporary } from "../../../workspace/lock.ts";
import { CONFIG_NAME, directoriesUp, displayName, isInside } from "../../../workspace/paths.ts";
import { kindAt, readTextFile } from "../../../workspace/read-file.ts";
import type { ProcessIo } from "../../process-io.ts";

/** Editors write a file in several steps; one run follows the last of them. */
const DEBOUNCE_MS = 120;
/** When a directory that went away meanwhile is looked for again. */
const RETRY_MS = 500;

const PACKAGE = "package.json";

/** What of a directory matters: entries by name (null: all), and whether what is below them does. */
interface Extent {
  readonly names: ReadonlySet<string> | null;
  readonly below: boolean;
}

/** Directories that must be looked at, by path. */
class Watched extends Map<string, Extent> {
  add(directory: string, name: string | null, below = false): void {
    const known = this.get(directory) ?? { names: new Set<string>(), below: false };
    const names = known.names === null || name === null ? null : new Set([...known.names, name]);
    this.set(directory, { names, below: known.below || below });
  }

  /** What is read at a path, and every link on the way there. */
  addPath(path: string): void {
    for (const { directory, name } of entriesOnTheWay(path)) this.add(directory, name);
  }

  /** A file or a directory, which need not be there; of a directory also what is in it. */
  addAll(path: string, below: boolean): void {
    this.addPath(path);
    if (kindAt(path) === "directory") this.add(path, null, below);
  }
}

/** Everything whose change a verdict may rest on. */
function watchedDirectories(paths: readonly string[], envFile: string | undefined, cwd: string): Watched {
  const watched = new Watched();
  for (const path of paths.length === 0 ? ["."] : paths) {
    watched.addAll(resolve(cwd, path), false);
  }
  if (envFile !== undefined) watched.addPath(resolve(cwd, envFile));
  for (const { path, file } of findDeployments(paths, cwd).configs) {
    if (path === null) continue;
    const directory = dirname(path);
    watched.addAll(directory, false);
    for (const above of directoriesUp(directory)) watched.addPath(join(above, PACKAGE));
    for (const name of [CONFIG_NAME, ".env"]) watched.addPath(join(directory, name));
    const text = readTextFile(path, file).file?.text ?? "";
    const skills = loadConfig({ file, text }).config.skills ?? [];
    for (const tree of ["sandbox", "plugins", ...skills].map((name) => resolve(directory, name)))
      // What a link leads to, or a way out, may be a whole disk.
      if (isInside(tree, directory)) watched.addAll(tree, tree !== directory && !isLink(tree));
  }
  return watched;
}

/** True for a change that a verdict may rest on. A platform that names no file may mean any. */
function counts({ names, below }: Extent, name: string | null): boolean {
  if (name === null || below) return true;
  return names === null ? !isOwnTemporary(name) : names.has(name);
}

/** Changes of directories from now on: `next` resolves after the first of them, and what came with it. */
function watchFrom(
  watched: ReadonlyMap<string, Extent>,
  blind: (directory: string, code: string) => void,
): { readonly next: Promise<true>; readonly close: () => void } {
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const next = new Promise<true>((done) => {
    const touch = (delay: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => done(true), delay);
    };
    for (const [directory, extent] of watched) {
      try {
        const watcher = watch(directory, { recursive: extent.below }, (_event, name) => {
          if (counts(extent, name)) touch(DEBOUNCE_MS);
        });
        watchers.push(watcher.on("error", () => touch(RETRY_MS)));
      } catch (error) {
        const { code = "unknown error" } = error as NodeJS.ErrnoException;
        if (code === "ENOENT") touch(RETRY_MS);
        else blind(directory, code);
      }
    }
  });
  const close = (): void => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
  return { next, close };
}

/** Checks now and after every change, until the user ends it. A config that is gone or broken for a while is reported as such. */
export async function watchPaths(
  io: ProcessIo,
  paths: readonly string[],
  envFile: string | undefined,
  check: () => Promise<unknown>,
): Promise<void> {
  const ended = io.interrupted().then(() => false);
  for (let goesOn = true; goesOn;) {
    // Before judging: what changes meanwhile is judged again.
    const changes = watchFrom(watchedDirectories(paths, envFile, io.cwd), (directory, code) => {
      const place = plainText(displayName(directory, io.cwd));
      io.stderr.write(shown`warning: changes in ${place} are not seen: it cannot be watched (${code})\n`);
    });
    // The screen, and not what has scrolled out of it.
    if (io.stdout.isTTY === true) io.stdout.write(ours("\u001b[2J\u001b[H"));
    await check();
    io.stdout.write(ours("\nwatching for changes; Ctrl-C ends\n"));
    goesOn = await Promise.race([changes.next, ended]);
    changes.close();
  }
}
