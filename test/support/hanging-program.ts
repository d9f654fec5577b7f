import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A program on a PATH of its own that never ends by itself, nor when it is asked to, and has started another that does not either. */
export interface HangingProgram {
  /** PATH with the program in front. */
  readonly path: string;
  /** Resolves once it runs. */
  started(): Promise<void>;
  /** Resolves once no process of it is left, however long that takes. */
  ended(): Promise<void>;
}

const PAUSE_MS = 20;

/** Whether one of these runs. One that nobody has reaped yet has ended all the same. */
function someRun(pids: readonly string[]): boolean {
  return execFileSync("ps", ["-eo", "pid=,stat="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .some(([pid = "", state = ""]) => pids.includes(pid) && !state.startsWith("Z"));
}

export function hangingProgram(name: string): HangingProgram {
  const directory = mkdtempSync(join(tmpdir(), "qm-hanging-"));
  const file = join(directory, "pids");
  writeFileSync(
    join(directory, name),
    `#!/bin/sh\ntrap '' INT TERM HUP\nsleep 600 &\necho "$$ $!" > '${file}.new'\nmv '${file}.new' '${file}'\nwait\nsleep 600\n`,
  );
  chmodSync(join(directory, name), 0o755);
  return {
    path: `${directory}${delimiter}${process.env["PATH"] ?? ""}`,
    async started() {
      while (!existsSync(file)) await sleep(PAUSE_MS);
    },
    async ended() {
      // On a slow machine it may have been ended before it could say who it is.
      const pids = existsSync(file) ? readFileSync(file, "utf8").trim().split(" ") : [];
      while (someRun(pids)) await sleep(PAUSE_MS);
    },
  };
}
