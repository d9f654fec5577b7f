import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../sources.mjs";
import { put } from "./put.mjs";

/** What only a checkout needs: an install from git would run these scripts and fetch these packages. */
const LEFT_OUT = ["scripts", "devDependencies", "overrides"];

/** Files for those who use the tree itself and not the package in it: the hooks of pre-commit, the GitHub Action. */
const BESIDE = join(import.meta.dirname, "gate");

/** The file that action.yml names. The package does without it. */
const ACTION = "dist/action/main.cjs";

function manifestOf(directory) {
  return JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
}

/** The files of the npm package, by npm's own reading of package.json. */
function packedFiles() {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: ROOT,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  return JSON.parse(stdout)[0].files.map(({ path }) => path);
}

/** Makes the tree of the gate in a folder, from what was built: the npm package, to be installed as it is, and its hooks. */
export async function makeTree(folder) {
  const manifest = manifestOf(ROOT);
  for (const path of packedFiles()) {
    const mode = path === manifest.bin["qm-deploy"] ? 0o755 : 0o644;
    if (path !== "package.json") put(folder, path, readFileSync(join(ROOT, path)), mode);
  }
  for (const field of LEFT_OUT) delete manifest[field];
  put(folder, "package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of readdirSync(BESIDE)) put(folder, name, readFileSync(join(BESIDE, name)));
  put(folder, ACTION, readFileSync(join(ROOT, ACTION)));
}
