import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { headingNames } from "./headings.ts";

const ROOT = join(import.meta.dirname, "../..");

const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "python/README.md",
  "editors/vscode/README.md",
  ...["driver", "qm-sandbox"].map((folder) => `src/boxd/${folder}/README.md`),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`),
];

/** The links of a page, as they are written, that lead to nothing in the repository. */
function dead(page: string, text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = join(ROOT, dirname(page), path);
    if (path !== "" && !existsSync(target)) return true;
    if (anchor === undefined) return false;
    const there = path === "" ? text : readFileSync(target, "utf8");
    return !headingNames(there).includes(anchor) && !there.includes(`<a id="${anchor}">`);
  });
}

test.each(PAGES)("%s links to what is there", (page) => {
  expect(dead(page, readFileSync(join(ROOT, page), "utf8"))).toEqual([]);
});

test("links to nothing are seen in every form", () => {
  const text = "# A b\n[1](#a-b) [2](#c) [3](gone.md) [4](../README.md#gone) [5](rules.md) `[6](code)`\n";
  expect(dead("docs/x.md", text)).toEqual(["#c", "gone.md", "../README.md#gone"]);
});
