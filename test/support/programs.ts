import { spawnSync } from "node:child_process";

/** True when a program answers `args` with status 0; tests that need it are skipped otherwise. */
export function answers(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/** Debian's python, which is the one that apt installs modules for. */
export const DEBIAN_PYTHON = "/usr/bin/python3";
