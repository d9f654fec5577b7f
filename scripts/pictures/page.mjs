import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser } from "../playground/browser.mjs";
import { buildPlayground, PLAYGROUND_DIST } from "../playground/build.mjs";
import { playgroundExamples } from "../playground/examples.mjs";
import { serveFolder } from "../playground/serve.mjs";
import { ROOT } from "../sources.mjs";

const SIZE = { width: 1440, height: 960 };

/** The page as it opens, as a PNG. */
export async function pagePicture() {
  await buildPlayground();
  const { address, close } = await serveFolder(PLAYGROUND_DIST);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(address);
    await page.waitForSelector("body[data-ready]");
    return await page.screenshot({ caret: "initial" });
  } finally {
    await browser.close();
    await close();
  }
}

function* filesBelow(path) {
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name));
}

/**
 * A hash over what is to be seen in the picture of the page: its own sources, the draft, what is found in it, and the file that is
 * open. Two versions of a browser draw the same page in other bytes, so that this stands for the picture in its test.
 *
 * @param {Pick<typeof import("../../src/pure.ts"), "checkText" | "renderText">} library
 */
export function pageInputs({ checkText, renderText }) {
  const hash = createHash("sha256");
  for (const part of ["index.html", "icon.svg", "styles", "src", "examples"]) {
    for (const path of filesBelow(join(ROOT, "playground", part)))
      hash
        .update(`${path.slice(ROOT.length)}\0`)
        .update(readFileSync(path))
        .update("\0");
  }
  const [{ config, files }, ...others] = playgroundExamples();
  const { ok, diagnostics, release } = checkText(config, { files });
  const { artifacts } = renderText(config, { files });
  const names = artifacts.map(({ name }) => name);
  const open = artifacts.find(({ name }) => name === "compose.yaml");
  hash.update(JSON.stringify([ok, diagnostics, release, names, open, others.map(({ title }) => title), SIZE]));
  return hash.digest("hex");
}
