import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "../../scripts/build.mjs";

await ensureBuilt();

/** The root of the checkout. */
export const ROOT = join(import.meta.dirname, "..", "..");

/** The built program. */
export const BIN = join(ROOT, "dist", "bin", "qm-deploy.cjs");

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Buffer;
  readonly env?: { readonly [name: string]: string };
  /** For node itself, before the program. */
  readonly nodeArgs?: readonly string[];
}

/** An environment in which nothing of the surroundings changes what is printed. */
export function plainEnv(more: { readonly [name: string]: string } = {}): { [name: string]: string } {
  return { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", ...more };
}

/**
 * Runs the built program. The `--` is for Node 20, which takes an `--env-file` from anywhere on its command line for its
 * own, unless a `--` stands before it, and ends with 9 when there is no such file.
 */
export function runCli(argv: readonly string[], options: RunOptions = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [...(options.nodeArgs ?? []), "--", BIN, ...argv],
    {
      cwd: options.cwd ?? ROOT,
      env: plainEnv(options.env),
      input: options.input ?? "",
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}
