/**
 * Makes V8's code cache for the command line in a built directory: runs what people run, then keeps the bytecode of
 * everything that was compiled on the way.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./sources.mjs";

/** Command lines that compile what users wait for. Some fail, as they do for users. */
const RUNS = [
  ["--help"],
  ["check"],
  ["check", "--format", "json"],
  ["check", "--format", "github"],
  ["check", "--format", "sarif"],
  ["check", "--format", "junit"],
  ["check", "--strict", "examples"],
  ["secrets"],
  ["secrets", "--format", "json"],
  ["secrets", "example"],
  ["secrets", "check"],
  ["version"],
];

/** A deployment with something wrong in many places, so that the paths which report it are compiled as well. */
const FAULTY = `\uFEFF{
  // a comment
  "contract": 1, "orgId": "Acme Corp", "publicUrl": "ftp://x", "target": "fly", "unknown": 1,
  "services": ["core", "web-ui", "portal"], "env": { "core": { "SANDBOX_BACKEND": "boxdd", "BOXD_API_KEY": "x" } },
  "sandbox": { "backend": "boxd", "app": "y", "env": { "A B": "1" } },
}`;

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
  const scratch = mkdtempSync(join(tmpdir(), "qm-deploy-cache-"));
  try {
    writeFileSync(join(scratch, "qm.config.jsonc"), FAULTY);
    writeFileSync(join(scratch, ".env"), 'BOXD_API_KEY="x"\nexport A=b # c\nbroken\n');
    for (const argv of [...RUNS, ["check", scratch]]) {
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
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  for (const [file, script] of loader.scripts) {
    const path = cachePath(dist, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, sealCache(readFileSync(join(dist, file)), script.createCachedData()));
  }
}

if (import.meta.filename === process.argv[1]) await makeInThisProcess(process.argv[2]);
