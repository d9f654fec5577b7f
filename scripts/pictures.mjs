/**
 * `npm run pictures`: makes the pictures of README anew, in docs/pictures/. That of a terminal comes from what the built program
 * prints; that of the page from Chromium, with a hash of what is to be seen in it beside it (scripts/pictures/page.mjs).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled } from "./setup.mjs";
import { DIST, ROOT } from "./sources.mjs";

ensureInstalled();
const { ensureBuilt } = await import("./build.mjs");
const { terminalPicture } = await import("./pictures/terminal.mjs");
const { pageInputs, pagePicture } = await import("./pictures/page.mjs");
const { hasBrowser } = await import("./playground/browser.mjs");

const FOLDER = join(ROOT, "docs", "pictures");
await ensureBuilt();
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, "check.svg"), terminalPicture());
console.log("wrote docs/pictures/check.svg");
if (hasBrowser()) {
  writeFileSync(join(FOLDER, "page.png"), await pagePicture());
  writeFileSync(
    join(FOLDER, "page.json"),
    `${JSON.stringify({ sha256: pageInputs(await import(pathToFileURL(join(DIST, "pure.js")).href)) })}\n`,
  );
  console.log("wrote docs/pictures/page.png");
} else {
  console.error("docs/pictures/page.png is as it was: there is no /usr/bin/chromium to draw it");
  process.exitCode = 1;
}
