import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeRender } from "../workspace/rendered-write.ts";
import { writeFileAtomically } from "../workspace/write.ts";
import type { ScaffoldPlan } from "./plan.ts";

/**
 * Writes what a plan says, file by file and each whole, then the rendered files, all or none. Running init again completes
 * what a run that was cut short left.
 *
 * @throws {WriteRefused} and file system errors; the file in question is as it was then
 */
export async function applyScaffold(plan: ScaffoldPlan, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const { path, text, action, before, mode, secret } of plan.files) {
    if (action === "kept") continue;
    writeFileAtomically(join(directory, path), text, { root: directory, secret, expected: before, ...(mode === null ? {} : { mode }) });
  }
  const { render } = plan;
  if (render?.isFresh) await writeRender(render.request, (now) => now.files.every((file) => file.change !== "changed"));
}
