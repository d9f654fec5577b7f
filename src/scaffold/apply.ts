import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeRender } from "../workspace/render-write.ts";
import { writeLocked } from "../workspace/lock.ts";
import { writeFailure } from "../workspace/write-file.ts";
import type { ScaffoldPlan } from "./plan.ts";
import { ScaffoldError } from "./scaffold-file.ts";

/**
 * Writes what a plan says, file by file and each whole, then the rendered files, all or none. Running init again completes
 * what a run that was cut short left. What was written is not read back: every write is atomic and fails loudly.
 *
 * @throws {ScaffoldError} where a file cannot be written; every file before it is there, whole
 */
export async function applyScaffold({ files, render }: ScaffoldPlan, directory: string): Promise<void> {
  let at = ".";
  try {
    mkdirSync(directory, { recursive: true });
    for (const { path, root, text, before, mode, secret } of files.filter(({ action }) => action !== "kept")) {
      at = path;
      const options = { root, secret, expected: before, ...(mode === null ? {} : { mode }) };
      await writeLocked(join(directory, path), text, options);
    }
    if (!render?.isFresh) return;
    at = render.request.output.fromDeployment;
    await writeRender(render.request, (now) => now.files.every(({ change }) => change !== "changed"), render.plan);
  } catch (error) {
    const reason = writeFailure(error);
    if (reason === null) throw error;
    const help = "what was written before it is whole; fix that and run init again";
    throw new ScaffoldError(`\`${at}\` could not be written: ${reason}`, help);
  }
}
