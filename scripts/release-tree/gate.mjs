import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../sources.mjs";

/** What only a checkout needs: an install from git would run these scripts and fetch these packages. */
const LEFT_OUT = ["scripts", "devDependencies", "overrides"];

/** Files for those who use the tree itself and not the package in it: the hooks of pre-commit, the GitHub Action. */
const BESIDE = join(import.meta.dirname, "gate");

function put(folder, path, write) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  write(target);
  // Not the modes of this checkout, which its umask has a part in.
  chmodSync(target, path === manifestOf(ROOT).bin["qm-deploy"] ? 0o755 : 0o644);
}

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
  for (const path of packedFiles())
    if (path !== "package.json") put(folder, path, (target) => copyFileSync(join(ROOT, path), target));
  const manifest = manifestOf(ROOT);
  for (const field of LEFT_OUT) delete manifest[field];
  put(folder, "package.json", (target) => writeFileSync(target, `${JSON.stringify(manifest, null, 2)}\n`));
  for (const name of readdirSync(BESIDE)) put(folder, name, (target) => copyFileSync(join(BESIDE, name), target));
}
