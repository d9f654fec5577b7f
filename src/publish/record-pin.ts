import { accessSync, constants, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { applyChanges } from "../config/edit.ts";
import type { ConfigChange } from "../diagnostics/diagnostic.ts";
import { withLock } from "../workspace/lock.ts";
import { readTextFile } from "../workspace/read-file.ts";
import { writeFileAtomically, WriteRefused } from "../workspace/write-file.ts";
import { bad, good, type Outcome } from "./outcome.ts";

function isOfFileSystem(error: unknown): boolean {
  return error instanceof WriteRefused || (error as NodeJS.ErrnoException).syscall !== undefined;
}

function edited(text: string, changes: readonly ConfigChange[]): Outcome<string> {
  const result = applyChanges(text, changes);
  return result.ok ? good(result.text) : bad(`the config cannot be changed: ${result.reason}`, "mend that first");
}

/** Whether a pin can be recorded; asked before a push, so that no image is pushed for nothing. */
export function canRecord(config: string, text: string, changes: readonly ConfigChange[]): Outcome<true> {
  const wouldBe = edited(text, changes);
  if (!wouldBe.ok) return wouldBe;
  try {
    if (!lstatSync(config).isFile())
      return bad("the config is a link, and a link is not written through", "name the file that it leads to");
    accessSync(dirname(config), constants.W_OK);
  } catch (error) {
    if (!isOfFileSystem(error)) throw error;
    return bad(
      `the config cannot be written (${(error as NodeJS.ErrnoException).code})`,
      "make its directory writable",
    );
  }
  return good(true);
}

/** Makes changes in a config as it is now, so that nobody's edit during the build is lost; all of them or none. */
export async function record(config: string, shown: string, changes: readonly ConfigChange[]): Promise<Outcome<true>> {
  try {
    return await withLock(config, (): Outcome<true> => {
      const read = readTextFile(config, shown);
      if (read.problem !== undefined) return bad(read.problem.message, read.problem.help);
      const { text } = read.file;
      const result = edited(text, changes);
      if (!result.ok) return result;
      if (result.value !== text) writeFileAtomically(config, result.value, { root: dirname(config), expected: text });
      return good(true);
    });
  } catch (error) {
    if (!isOfFileSystem(error)) throw error;
    const reason =
      error instanceof WriteRefused ? error.message : `the file system said ${(error as NodeJS.ErrnoException).code}`;
    return bad(`the config was not changed: ${reason}`, "mend that first");
  }
}
