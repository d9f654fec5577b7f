/**
 * Makes V8's code cache for the command line in a built directory: runs what people run, then keeps the bytecode of
 * everything that was compiled on the way.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./sources.mjs";

/**
 * Command lines that compile what users wait for. The deployment is sound: bytecode that only faults need costs every start time to
 * load, and whoever finds one gains nothing that can be measured.
 */
const RUNS = [
  ["--help"],
  ["check"],
  ["check", "--format", "json"],
  ["check", "--format", "github"],
  ["check", "--format", "sarif"],
  ["check", "--format", "junit"],
  ["secrets"],
  ["secrets", "--format", "json"],
  ["secrets", "example"],
  ["secrets", "check"],
  ["render", "--check", "examples/docker-boxd"],
  ["version"],
];

/** V8 draws hashes from it that end up in the bytecode. It takes a cache whatever the seed was. */
const SEED = "--random-seed=1";

/** Makes the cache, in a process of its own: the same sources and the same Node give the same bytes, wherever they lie. */
export function makeCodeCache(dist) {
  const done = spawnSync(process.execPath, [SEED, fileURLToPath(import.meta.url), dist], { encoding: "utf8" });
  if (done.error !== undefined) throw done.error;
  if (done.status !== 0) throw new Error(`the code cache cannot be made:\n${done.stdout}${done.stderr}`);
}

async function makeInThisProcess(dist) {
  const require = createRequire(import.meta.url);
  const { chunkLoader, cachePath, sealCache } = require(join(dist, "bin", "chunk-loader.cjs"));
  rmSync(dirname(cachePath(dist, "x")), { recursive: true, force: true });
  const loader = chunkLoader(dist, "");
  const { runWith } = loader.load("cli/main.cjs");
  const silent = { write: () => true, isTTY: false, columns: 100 };
  for (const argv of RUNS) {
    await runWith({
      argv,
      cwd: ROOT,
      env: {},
      stdin: [],
      stdout: silent,
      stderr: silent,
      interrupted: () => new Promise(() => {}),
    });
  }
  for (const [file, script] of loader.scripts) {
    const path = cachePath(dist, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, sealCache(readFileSync(join(dist, file)), script.createCachedData()));
  }
}

if (import.meta.filename === process.argv[1]) await makeInThisProcess(process.argv[2]);
