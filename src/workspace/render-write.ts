import { randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { MANIFEST } from "../render/manifest.ts";
import { withLock } from "./lock.ts";
import { type PlannedArtifact, planRender, type RenderPlan, type RenderRequest } from "./render-plan.ts";
import { walkDirectories, writeFileAtomically } from "./write-file.ts";

const STAGING = /^\.render-[0-9a-f]+\.tmp$/;

/**
 * Writes what was rendered. `accepts` sees the plan first, and nothing is written when it says no. All files are written
 * beside first; then each is swapped in by a rename, `manifest.json` last. Where one swap fails, those before it are taken
 * back. The plan is compared anew under the lock, since another run may have written meanwhile.
 *
 * @throws {WriteRefused} and file system errors; everything is as it was then
 */
export async function writeRender(
  request: RenderRequest,
  accepts: (plan: RenderPlan) => boolean,
  first: RenderPlan = planRender(request),
): Promise<RenderPlan> {
  if (!accepts(first)) return first;
  const { root, path: directory } = request.output;
  const before = existingDirectories(root, directory);
  walkDirectories(root, directory, true);
  try {
    return await withLock(join(directory, MANIFEST), () => {
      removeLeftovers(directory);
      const plan = planRender(request, first);
      if (accepts(plan)) swapIn(request, plan);
      return plan;
    });
  } catch (error) {
    removeEmpty(directory, before);
    throw error;
  }
}

function existingDirectories(root: string, directory: string): ReadonlySet<string> {
  const existing = new Set<string>();
  for (let at = directory; at !== dirname(at); at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) existing.add(at);
    if (at === root) break;
  }
  return existing;
}

/** Takes away directories that this run made and that stayed empty. */
function removeEmpty(directory: string, before: ReadonlySet<string>): void {
  try {
    for (let at = directory; !before.has(at); at = dirname(at)) rmdirSync(at);
  } catch {
    // Somebody put something in; it stays.
  }
}

/** What a run that was killed left; nobody else writes here now. */
function removeLeftovers(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory() && STAGING.test(entry.name))
      rmSync(join(directory, entry.name), { recursive: true, force: true });
  }
}

function swapIn({ output, prune }: RenderRequest, plan: RenderPlan): void {
  const { root, path: directory } = output;
  const changed = plan.files
    .filter((file) => file.change !== "unchanged")
    .sort((a, b) => Number(a.artifact.name === MANIFEST) - Number(b.artifact.name === MANIFEST));
  const removed = prune ? plan.stale.filter((file) => file.removable).map((file) => file.name) : [];
  if (changed.length === 0 && removed.length === 0) return;
  const staging = join(directory, `.render-${randomBytes(8).toString("hex")}.tmp`);
  const undo: (() => void)[] = [];
  try {
    mkdirSync(staging, 0o700);
    for (const file of changed) stage(root, staging, file);
    for (const name of removed) takeAway(root, directory, staging, name, undo);
    for (const file of changed) swap(root, directory, staging, file, undo);
  } catch (error) {
    takeBack(undo);
    throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  for (const name of removed) removeEmpty(dirname(join(directory, name)), new Set([directory]));
}

/** Undoes as much as can be; the first fault is the one that is reported. */
function takeBack(undo: readonly (() => void)[]): void {
  for (const step of undo.toReversed()) {
    try {
      step();
    } catch {
      // What cannot be taken back shows as drift in the next `render --check`.
    }
  }
}

function stage(root: string, staging: string, { artifact, before }: PlannedArtifact): void {
  const path = join(staging, "new", artifact.name);
  writeFileAtomically(path, artifact.text, { root, secret: artifact.secret });
  if (before !== null && !artifact.secret) chmodSync(path, before.mode);
}

/** Moves a file into the staging directory, from where it can come back. */
function takeAway(root: string, directory: string, staging: string, name: string, undo: (() => void)[]): void {
  const kept = join(staging, "old", name);
  walkDirectories(root, dirname(kept), true);
  renameSync(join(directory, name), kept);
  undo.push(() => renameSync(kept, join(directory, name)));
}

function swap(
  root: string,
  directory: string,
  staging: string,
  { artifact, before }: PlannedArtifact,
  undo: (() => void)[],
): void {
  const target = join(directory, artifact.name);
  const kept = join(staging, "old", artifact.name);
  walkDirectories(root, dirname(target), true);
  if (before !== null) {
    walkDirectories(root, dirname(kept), true);
    keep(target, kept);
  }
  // A rename replaces a link that was planted meanwhile, and follows none.
  renameSync(join(staging, "new", artifact.name), target);
  undo.push(() => (before === null ? unlinkSync(target) : renameSync(kept, target)));
}

/** A second name for a file, or a copy where the file system has no hard links. */
function keep(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept);
  }
}
