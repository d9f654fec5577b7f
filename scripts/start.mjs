/** `npm start`: sets up, then checks the deployment in the root of the checkout, says what it consists of, and renders it. */
import { join } from "node:path";
import { ROOT } from "./sources.mjs";
import { ensureInstalled, runHere } from "./setup.mjs";

ensureInstalled();
const { ensureBuilt } = await import("./build.mjs");
await ensureBuilt({ types: true });

/** What is run, in order; the first status that is not 0 is what `npm start` ends with. */
const COMMANDS = ["check", "secrets", "render"];

let status = 0;
for (const command of COMMANDS) {
  console.log(`\n$ qm-deploy ${command}`);
  status ||= runHere(process.execPath, [join(ROOT, "dist", "bin", "qm-deploy.cjs"), command]);
}
// Git ignores rendered/ in the root of this checkout, so that it stays clean.
if (status === 0) {
  console.log(
    "\nIn a deployment of your own you commit these files. Read on in rendered/docker/bring-up.md, which leads to a running deployment.",
  );
}
process.exitCode = status;
