import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The root of the checkout. */
export const ROOT = join(import.meta.dirname, "..");

/** Where the bundle stands. */
export const DIST = join(ROOT, "dist");

/** What the bundle is made from. */
const SOURCES = [
  "src",
  "schema",
  "package.json",
  "package-lock.json",
  "scripts/build.mjs",
  "scripts/bundle.mjs",
  "scripts/entries.mjs",
  "scripts/code-cache.mjs",
  "scripts/licences.mjs",
];

function* filesBelow(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) yield path;
  if (!stats?.isDirectory()) return;
  for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name));
}

/** A hash over everything that the bundle is made from: names and contents. */
export function sourcesHash() {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const path of filesBelow(join(ROOT, source))) {
      hash
        .update(`${path.slice(ROOT.length)}\0`)
        .update(readFileSync(path))
        .update("\0");
    }
  }
  return hash.digest("hex");
}
