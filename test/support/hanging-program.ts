import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A program on a PATH of its own that never ends by itself, nor when it is asked to, and has started another that does not either. */
export interface HangingProgram {
  /** PATH with the program in front. */
  readonly path: string;
  /** Resolves once it runs. */
  started(): Promise<void>;
  /** The processes of it that are left. */
  left(): readonly number[];
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
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    left() {
      const pids = readFileSync(file, "utf8").trim().split(" ").map(Number);
      // One that nobody has reaped yet has ended all the same.
      const running = execFileSync("ps", ["-eo", "pid=,stat="], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/));
      return pids.filter((pid) =>
        running.some(([id, state]) => Number(id) === pid && state?.startsWith("Z") === false),
      );
    },
  };
}
