import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join, posix } from "node:path";
import { MANIFEST } from "../deployment/rendered-names.ts";
import { withLock } from "./lock.ts";
import { asCommitted, readRenderedFile } from "./rendered-directory.ts";
import { type PlannedArtifact, planRender, type RenderPlan, type RenderRequest } from "./render-plan.ts";
import { makeIgnoredDirectory, walkDirectories, writeFileAtomically, WriteRefused } from "./write-file.ts";

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
  const made: string[] = [];
  walkDirectories(root, directory, made);
  try {
    return await withLock(join(directory, MANIFEST), () => {
      removeLeftovers(directory);
      const plan = planRender(request, first);
      if (accepts(plan)) swapIn(request, plan);
      return plan;
    });
  } catch (error) {
    removeWhileEmpty(made.toReversed());
    throw error;
  }
}

/** Ends at the first one in which somebody put something. */
function removeWhileEmpty(directories: readonly string[]): void {
  attempt(() => directories.forEach((directory) => fs.rmdirSync(directory)));
}

/** What a run that was killed left; nobody else writes here now. */
function removeLeftovers(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory() && STAGING.test(entry.name))
      fs.rmSync(join(directory, entry.name), { recursive: true, force: true });
  }
}

function swapIn({ output: { root, path: directory }, prune }: RenderRequest, plan: RenderPlan): void {
  const changed = plan.files
    .filter((file) => file.change !== "unchanged")
    .sort((a, b) => Number(a.artifact.name === MANIFEST) - Number(b.artifact.name === MANIFEST));
  const removed = prune ? plan.stale.filter((file) => file.removable) : [];
  if (changed.length === 0 && removed.length === 0) return;
  const staging = join(directory, `.render-${randomBytes(8).toString("hex")}.tmp`);
  /** The path in the staging directory from where a file that lies there now can come back. */
  const aside = (name: string): string => {
    const path = join(staging, "old", name);
    walkDirectories(root, dirname(path), []);
    return path;
  };
  const undo: (() => void)[] = [];
  try {
    makeIgnoredDirectory(staging);
    for (const file of changed) stage(root, staging, file);
    for (const { name, text } of removed) {
      checkUnchanged(root, join(directory, name), text);
      const [path, kept] = [join(directory, name), aside(name)];
      fs.renameSync(path, kept);
      undo.push(() => fs.renameSync(kept, path));
    }
    for (const { artifact, before } of changed) {
      const path = join(directory, artifact.name);
      walkDirectories(root, dirname(path), []);
      checkUnchanged(root, path, before?.text ?? null);
      const kept = before === null ? null : aside(artifact.name);
      if (kept !== null) keep(path, kept);
      // A rename replaces a link that was planted meanwhile, and follows none.
      fs.renameSync(join(staging, "new", artifact.name), path);
      undo.push(() => (kept === null ? fs.unlinkSync(path) : fs.renameSync(kept, path)));
    }
  } catch (error) {
    // As much as can be; what cannot be taken back shows as drift in the next `render --check`.
    for (const step of undo.toReversed()) attempt(step);
    throw error;
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
  for (const { name } of removed) removeWhileEmpty(directoriesAbove(name).map((above) => join(directory, above)));
}

/** What somebody saved while everything was staged is not replaced. */
function checkUnchanged(root: string, path: string, before: string | null): void {
  const now = readRenderedFile(root, path)?.text ?? null;
  if ((now === null) !== (before === null) || asCommitted(now ?? "") !== asCommitted(before ?? ""))
    throw new WriteRefused(`\`${path}\` was changed meanwhile`);
}

/** Innermost first. */
function directoriesAbove(name: string): readonly string[] {
  const above = posix.dirname(name);
  return above === "." ? [] : [above, ...directoriesAbove(above)];
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // The first fault is the one that is reported.
  }
}

function stage(root: string, staging: string, { artifact, before }: PlannedArtifact): void {
  const path = join(staging, "new", artifact.name);
  writeFileAtomically(path, artifact.text, { root, secret: artifact.secret });
  if (before !== null && !artifact.secret) fs.chmodSync(path, before.mode);
}

/** A second name for a file, or a copy where the file system has no hard links. */
function keep(path: string, kept: string): void {
  try {
    fs.linkSync(path, kept);
  } catch {
    fs.copyFileSync(path, kept);
  }
}
