/** README's pictures show what the program and the page show now. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { pageInputs } from "../../scripts/pictures/page.mjs";
import { terminalSvg } from "../../scripts/pictures/terminal-svg.mjs";
import { terminalPicture } from "../../scripts/pictures/terminal.mjs";
import { checkText, renderText } from "../../src/pure.ts";

const ROOT = join(import.meta.dirname, "../..");
const AGAIN = "run `npm run pictures` and look at docs/pictures/";

await ensureBuilt();

function stored(name: string): string {
  return readFileSync(join(ROOT, "docs/pictures", name), "utf8");
}

test("the terminal is what the program prints", () => {
  expect(terminalPicture() === stored("check.svg"), AGAIN).toBe(true);
});

test("the page is drawn from what it is made of now", () => {
  expect(JSON.parse(stored("page.json")), AGAIN).toEqual({ sha256: pageInputs({ checkText, renderText }) });
  expect(readFileSync(join(ROOT, "docs/pictures/page.png")).subarray(1, 4).toString()).toBe("PNG");
});

test("README shows both, with words for whoever does not see them", () => {
  const shown = [...readFileSync(join(ROOT, "README.md"), "utf8").matchAll(/^!\[([^\]]*)\]\(([^)]+)\)$/gm)];
  expect(shown.map(([, , path]) => path)).toEqual(["docs/pictures/check.svg", "docs/pictures/page.png"]);
  for (const [, words = ""] of shown) expect(words.length).toBeGreaterThan(60);
});

test("a picture of a terminal has each piece in its column and colour, and nothing that could be markup", () => {
  const svg = terminalSvg("a\u001b[1m<b> \u001b[31m&c\u001b[39m\u001b[22m d\n\u001b[2m  e\u001b[22m\n", {
    title: "<t>",
    description: "d & d",
  });
  const texts = svg.matchAll(/<text x="([\d.]+)" y="(\d+)"(?: class="([^"]*)")? textLength="([\d.]+)">([^<]*)</g);
  expect([...texts].map((text) => text.slice(1))).toEqual([
    ["20.0", "48", undefined, "7.8", "a"],
    ["27.8", "48", "b", "23.4", "&lt;b&gt;"],
    ["59.0", "48", "b r", "15.6", "&amp;c"],
    ["82.4", "48", undefined, "7.8", "d"],
    ["35.6", "67", "d", "7.8", "e"],
  ]);
  expect(svg).toContain('<title id="t">&lt;t&gt;</title>');
  expect(() => terminalSvg("\u001b[35mx", { title: "", description: "" })).toThrow("no SGR 35");
  expect(() => terminalSvg("漢", { title: "", description: "" })).toThrow("one column");
});
