/**
 * Builds the page that tries qm-deploy in a browser into playground/dist/: `npm run playground`. With `--serve [port]` it
 * also serves it on this machine, until it is ended.
 */
import { relative } from "node:path";
import { ROOT } from "./sources.mjs";
import { ensureInstalled } from "./setup.mjs";

ensureInstalled();
const { buildPlayground, PLAYGROUND_DIST, playgroundSizes } = await import("./playground/build.mjs");

const [option, port = "4173"] = process.argv.slice(2);
if ((option !== undefined && option !== "--serve") || !/^\d+$/.test(port)) {
  console.error("usage: npm run playground [-- --serve [port]]");
  process.exit(2);
}
await buildPlayground();
const { initial, later } = playgroundSizes();
const kB = (sizes) => `${Math.round(Object.values(sizes).reduce((sum, size) => sum + size, 0) / 1000)} kB`;
console.log(`built ${relative(ROOT, PLAYGROUND_DIST)}/: ${kB(initial)} gzipped at first, ${kB(later)} for the picture`);
if (option === "--serve") {
  const { serveFolder } = await import("./playground/serve.mjs");
  const { address } = await serveFolder(PLAYGROUND_DIST, Number(port));
  console.log(`open ${address} (Ctrl+C ends it)`);
} else {
  console.log("to open it: npm run playground -- --serve; any server of static files will do");
}
