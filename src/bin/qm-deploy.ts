#!/usr/bin/env node
// Becomes a CommonJS file, which Node starts faster than an ES module; every other file of the command line is loaded by
// loadChunk, and only once the version of Node was judged.
import { writeSync } from "node:fs";
import { join } from "node:path";
import type * as commandLine from "../cli/process.ts";
import { VERSION } from "../cli/version.ts";
import { chunkLoader } from "./chunk-loader.ts";

const MINIMUM = [20, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const argv = process.argv.slice(2);

if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  process.stderr.write(`qm-deploy needs Node ${MINIMUM.join(".")} or newer; this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  // Without process.stdout, which costs more to set up than everything else here.
  try {
    writeSync(1, `${VERSION}\n`);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    if (code !== "EPIPE") {
      process.stderr.write(`error: the output cannot be written (${code})\n`);
      process.exitCode = 2;
    }
  }
} else {
  try {
    const { runProcess } = chunkLoader(join(import.meta.dirname, "..")).load("cli/main.cjs") as typeof commandLine;
    void runProcess(argv).then((status) => {
      process.exitCode = status;
    });
  } catch (error) {
    // Our own files, of which the system refuses one: too many are open, or the installation is damaged.
    const { code = "unknown error", syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    process.stderr.write(`error: qm-deploy cannot be loaded (${code})\n`);
    process.exitCode = 2;
  }
}
