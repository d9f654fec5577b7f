import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeRender } from "../workspace/render-write.ts";
import { WriteRefused, writeFileAtomically } from "../workspace/write-file.ts";
import type { ScaffoldPlan } from "./plan.ts";

/** A scaffold that stopped on the way: every file before `path` is there, whole. `message` says why. */
export class ScaffoldFailed extends Error {
  override readonly name = "ScaffoldFailed";
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}

/** Names what could not be written; faults of ours pass as they are. */
function stoppedAt(path: string, error: unknown): unknown {
  if (error instanceof WriteRefused) return new ScaffoldFailed(path, error.message);
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new ScaffoldFailed(path, `the file system said ${code ?? "no"} to ${syscall}`);
}

/**
 * Writes what a plan says, file by file and each whole, then the rendered files, all or none. Running init again completes
 * what a run that was cut short left.
 *
 * @throws {ScaffoldFailed}
 */
export async function applyScaffold(plan: ScaffoldPlan, directory: string): Promise<void> {
  let at = ".";
  try {
    mkdirSync(directory, { recursive: true });
    for (const { path, text, action, before, mode, secret } of plan.files) {
      if (action === "kept") continue;
      at = path;
      writeFileAtomically(join(directory, path), text, {
        root: directory,
        secret,
        expected: before,
        ...(mode === null ? {} : { mode }),
      });
    }
    const { render } = plan;
    if (!render?.isFresh) return;
    at = render.request.place.place;
    await writeRender(render.request, (now) => now.files.every((file) => file.change !== "changed"));
  } catch (error) {
    throw stoppedAt(at, error);
  }
}
