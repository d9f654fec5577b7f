/**
 * Makes the tree that a release tag points to: `npm run release:tree -- [--paperclip|--vscode] <folder>`. The folder must be
 * new or empty. With `--paperclip` it is the small package that Paperclip hosts install, with `--vscode` the extension that vsce
 * packs, else the tree of the gate (docs/releasing.md).
 */
import { mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./setup.mjs";

const USAGE = "usage: npm run release:tree -- [--paperclip|--vscode] <folder>";

function fail(message) {
  console.error(message);
  process.exit(2);
}

function readArguments() {
  try {
    const options = { paperclip: { type: "boolean" }, vscode: { type: "boolean" } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [which = "gate", ...others] = Object.keys(values);
    if (positionals.length === 1 && others.length === 0) return { which, folder: resolve(positionals[0]) };
  } catch (error) {
    console.error(error.message);
  }
  return fail(USAGE);
}

const { which, folder } = readArguments();
// Made before the build, which takes long: a file may be in its place or above it.
try {
  mkdirSync(folder, { recursive: true });
} catch (error) {
  fail(`the folder cannot be made: ${error.message}`);
}
if (readdirSync(folder).length > 0) fail(`${folder} is not empty`);
ensureInstalled();
const { build } = await import("./build.mjs");
await build({ types: true });
const { makeTree } = await import(`./release-tree/${which}.mjs`);
await makeTree(folder);
console.log(`made ${folder}`);
