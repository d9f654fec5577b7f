import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { ROOT } from "../cli/built.ts";

await ensureBuilt({ types: true });
const DIST = join(ROOT, "dist");

/** The packages that the source maps of the bundles name, by directory; the licences were collected from the bundler's own list of modules. */
function bundledPackages(): string[] {
  const found = new Set<string>();
  for (const file of readdirSync(DIST, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".map")) continue;
    const { sources } = JSON.parse(readFileSync(join(DIST, file), "utf8")) as { sources: string[] };
    for (const source of sources) {
      const at = /.*(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
      if (at !== undefined) found.add(at);
    }
  }
  return [...found].sort();
}

test("every package of which code is bundled comes with its licence, and no other does", () => {
  const text = readFileSync(join(DIST, "THIRD_PARTY_LICENSES"), "utf8");
  const expected = bundledPackages().map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, directory, "package.json"), "utf8"));
    return `${name} ${version} (${license})`;
  });
  expect(expected.length).toBeGreaterThan(5);
  const rule = "-".repeat(80);
  const parts = text.split(`${rule}\n`).slice(1);
  expect(parts.filter((_, at) => at % 2 === 0).map((title) => title.trim())).toEqual(expected);
  for (const [at, title] of expected.entries()) expect(parts[at * 2 + 1], title).toMatch(/copyright/i);
});
