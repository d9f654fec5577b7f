/**
 * `npm run generate`: writes every committed file that follows from the sources, and names those that changed. First the
 * lists inside src/, which the pages are then made from. Golden files are not among them: they are what tests compare with.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled } from "./setup.mjs";
import { ROOT } from "./sources.mjs";

/** Where bundles stand while they run: inside node_modules, so that they find the packages that they import. */
const WORK = join(ROOT, "node_modules", ".cache", "qm-deploy");

/** Loads a module of scripts/generate/; Node 20 reads no TypeScript, so it is bundled first. */
async function load(name) {
  const { build } = await import("rolldown");
  const file = join(WORK, `generate-${name}-${process.pid}.mjs`);
  mkdirSync(WORK, { recursive: true });
  try {
    await build({
      cwd: ROOT,
      input: join(ROOT, "scripts", "generate", `${name}.ts`),
      platform: "node",
      external: (id) => /^[\w@]/.test(id) && !id.startsWith(ROOT),
      logLevel: "warn",
      output: { file, format: "esm", codeSplitting: false },
    });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file, { force: true });
  }
}

function textAt(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

/** Writes the files that are not yet what they should be; resolves to their paths. */
function writeChanged(files) {
  const changed = files.filter(({ path, text }) => textAt(join(ROOT, path)) !== text);
  for (const { path, text } of changed) writeFileSync(join(ROOT, path), text);
  return changed.map(({ path }) => path);
}

ensureInstalled();
const { generateLists } = await load("lists");
const changed = writeChanged(generateLists(ROOT));
const { generatePages } = await load("pages");
changed.push(...writeChanged(generatePages()));
console.log(changed.length === 0 ? "nothing to write: every generated file is current" : `wrote ${changed.join(", ")}`);
