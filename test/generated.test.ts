import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateLists } from "../scripts/generate/lists.ts";
import { generatePages } from "../scripts/generate/pages.ts";

const ROOT = join(import.meta.dirname, "..");

test.each([...generateLists(ROOT), ...generatePages()].map(({ path, text }) => [path, text]))(
  "%s is what the sources say",
  (path, text) => {
    expect(readFileSync(join(ROOT, path), "utf8") === text, "run `npm run generate` and read the diff").toBe(true);
  },
);
