import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateCatalog } from "../../scripts/generate/catalog.ts";

const ROOT = join(import.meta.dirname, "../..");

// UPDATE_TEMPLATES=1 writes the files, for `npm run generate`: one process then has both the generator and its check.
test.each(generateCatalog().map((file) => [file.path, file.text]))("%s is what the folders say", (path, text) => {
  if (process.env["UPDATE_TEMPLATES"] === "1") writeFileSync(join(ROOT, path), text);
  expect(readFileSync(join(ROOT, path), "utf8")).toBe(text);
});
