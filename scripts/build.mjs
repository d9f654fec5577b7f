/** Builds dist/: `node scripts/build.mjs`. Also imported by start, test and the tests, which build only when it is stale. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleAll } from "./bundle.mjs";
import { makeCodeCache } from "./code-cache.mjs";
import { DIST, ROOT, sourcesHash } from "./sources.mjs";
import { untilFresh } from "./until-fresh.mjs";

const STAMP = join(DIST, ".sources");
/** Where half-made things stand: ignored by git, and on the same disk as dist/, so that a rename is enough. */
const WORK = join(ROOT, "node_modules", ".cache", "qm-deploy");

/** Declarations keep the `.ts` of an import, which nobody can resolve once the sources are gone. */
function useJsSpecifiers(directory) {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (statSync(path).isDirectory()) useJsSpecifiers(path);
    else if (name.endsWith(".d.ts")) {
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace(/((?:from|import)\s*\(?\s*"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
    }
  }
}

function declarations(out) {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", join(out, "types")];
  const done = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`tsc failed:\n${done.stdout}${done.stderr}`);
  useJsSpecifiers(join(out, "types"));
}

/** Builds into a directory beside dist/ and swaps it in whole, so that nobody runs half a bundle. */
export async function build({ types }) {
  const hash = sourcesHash();
  mkdirSync(WORK, { recursive: true });
  const out = join(WORK, `build-${process.pid}`);
  rmSync(out, { recursive: true, force: true });
  try {
    await bundleAll(out);
    makeCodeCache(out);
    if (types) declarations(out);
    chmodSync(join(out, "bin", "qm-deploy.cjs"), 0o755);
    writeFileSync(join(out, ".sources"), `${hash} ${types ? "types" : ""}\n`);
    const old = join(WORK, `old-${process.pid}`);
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(out, DIST);
    rmSync(old, { recursive: true, force: true });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function isFresh(hash, types) {
  if (!existsSync(STAMP)) return false;
  const [built, kind] = readFileSync(STAMP, "utf8").trim().split(" ");
  return built === hash && (!types || kind === "types");
}

/** Builds when dist/ is not what the sources say; processes that ask at the same time wait for one build. */
export async function ensureBuilt({ types = false } = {}) {
  mkdirSync(WORK, { recursive: true });
  await untilFresh({
    isFresh: () => isFresh(sourcesHash(), types),
    build: () => build({ types }),
    lock: join(WORK, "build.lock"),
    say: (text) => void process.stderr.write(`warning: ${text}\n`),
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build({ types: true });
