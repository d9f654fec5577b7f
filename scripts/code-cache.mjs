/**
 * Makes V8's code cache for the command line in a built directory: runs what people run, then keeps the bytecode of
 * everything that was compiled on the way. Run again with another version of Node, it adds the cache for that one.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

export async function makeCodeCache(dist) {
  const require = createRequire(import.meta.url);
  const { chunkLoader, cachePath, sealCache } = require(join(dist, "bin", "chunk-loader.cjs"));
  rmSync(dirname(cachePath(dist, "x")), { recursive: true, force: true });
  const loader = chunkLoader(dist);
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
