/** `npm start`: sets up, then judges the deployment in the root of the checkout and says what it consists of, and renders it into a directory of its own: the checkout stays clean. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./sources.mjs";
import { ensureInstalled, runHere } from "./setup.mjs";

ensureInstalled();
const { ensureBuilt } = await import("./build.mjs");
await ensureBuilt({ types: true });

const scratch = mkdtempSync(join(tmpdir(), "qm-deploy-start-"));

/** What is run, in order; the first status that is not 0 is what `npm start` ends with. */
const STEPS = [["check"], ["secrets"], ["render", "--out", scratch]];

let status = 0;
try {
  for (const args of STEPS) {
    console.log(`\n$ qm-deploy ${args.join(" ")}`);
    status ||= runHere(process.execPath, [join(ROOT, "dist", "bin", "qm-deploy.cjs"), ...args]);
  }
  console.log(
    "(removed again; in a deployment directory, `qm-deploy render` writes them below rendered/, to be committed)",
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = status;
