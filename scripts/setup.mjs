import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./sources.mjs";

/** A registry that does not answer must not hold a run for ever. */
const INSTALL_MS = 15 * 60_000;

function packagesOf(path) {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).packages ?? {}) : {};
}

/** True when node_modules holds what the lock file says; packages for other platforms need not be there. */
function isInstalled() {
  const wanted = packagesOf(join(ROOT, "package-lock.json"));
  const present = packagesOf(join(ROOT, "node_modules", ".package-lock.json"));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    return Object.hasOwn(present, path) ? present[path].version === version : optional === true;
  });
}

/** Runs a program in the checkout with this terminal; resolves to its exit status. */
export function runHere(program, args, options = {}) {
  const done = spawnSync(program, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (done.error !== undefined) throw done.error;
  return done.status ?? 1;
}

/**
 * Installs what the lock file says where it is missing or stale. npm warns of packages that want Node 24: those are peers
 * that tests compare with, and what the tests load of them runs on Node 20. So it reports errors alone.
 */
export function ensureInstalled() {
  if (isInstalled()) return;
  console.log("installing dependencies (npm ci)");
  const status = runHere("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    shell: process.platform === "win32",
    timeout: INSTALL_MS,
  });
  if (status !== 0) process.exit(status);
}
