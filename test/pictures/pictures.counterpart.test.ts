/** The picture of the page, as Chromium draws it. */
import { expect, test } from "vitest";
import { pagePicture } from "../../scripts/pictures/page.mjs";
import { hasBrowser } from "../../scripts/playground/browser.mjs";

test.skipIf(!hasBrowser())("can be taken anew (skipped without Chromium)", async () => {
  const png = await pagePicture();
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1440, 960]);
  // One colour all over is far smaller.
  expect(png.length).toBeGreaterThan(50_000);
});
