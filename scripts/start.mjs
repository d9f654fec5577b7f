/** `npm start`: sets up, then judges the deployment in the root of the checkout and says what it consists of. */
import { join } from "node:path";
import { ROOT } from "./sources.mjs";
import { ensureInstalled, runHere } from "./setup.mjs";

ensureInstalled();
const { ensureBuilt } = await import("./build.mjs");
await ensureBuilt({ types: true });

/** What is run, in order; the first status that is not 0 is what `npm start` ends with. */
const STEPS = [["check"], ["secrets"]];

let status = 0;
for (const args of STEPS) {
  console.log(`\n$ qm-deploy ${args.join(" ")}`);
  status ||= runHere(process.execPath, [join(ROOT, "dist", "bin", "qm-deploy.cjs"), ...args]);
}
process.exitCode = status;
