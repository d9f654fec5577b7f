/** `npm start`: sets up, then checks the deployment in the root of the checkout, says what it consists of, renders it, and shows where it stands. */
import { join } from "node:path";
import { ROOT } from "./sources.mjs";
import { ensureInstalled, runHere } from "./setup.mjs";

ensureInstalled();
const { ensureBuilt } = await import("./build.mjs");
await ensureBuilt({ types: true });

/** What is run, in order; the first status that is not 0 is what `npm start` ends with. */
const COMMANDS = ["check", "secrets", "render"];

function show(command) {
  console.log(`\n$ qm-deploy ${command}`);
  return runHere(process.execPath, [join(ROOT, "dist", "bin", "qm-deploy.cjs"), command]);
}

let status = 0;
for (const command of COMMANDS) status ||= show(command);
// A deployment without secrets is not finished, as is to be here: it fails nothing.
show("status");
// Git ignores rendered/ in the root of this checkout, so that it stays clean.
if (status === 0) {
  console.log(
    "\nIn a deployment of your own you commit these files. Read on in rendered/docker/bring-up.md, which leads to a running deployment.",
  );
}
process.exitCode = status;
