import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { TOOLS } from "../../../src/references/tools/index.ts";
import { tempDirectory } from "../../workspace/temp.ts";

/** What the stand-ins hold, by tool; `tool.cjs` says how each is asked. */
export interface World {
  readonly op?: { readonly [reference: string]: string | readonly number[] };
  /** By `<region> <id>`: a parameter's value, or the versions of a secret by stage. */
  readonly aws?: { readonly [place: string]: string | { readonly [stage: string]: object } };
  readonly vals?: { readonly [reference: string]: string };
  /** The decrypted file. */
  readonly sops?: string;
  /** Plaintext by ciphertext. */
  readonly dotenvx?: { readonly [ciphertext: string]: string };
  /** How a tool fails whatever it is asked. */
  readonly faults?: {
    readonly [tool: string]: {
      readonly status?: number;
      readonly says?: string;
      readonly printed?: string;
      readonly hangs?: true;
    };
  };
}

export interface StandIns {
  /** For the program that is tried; PATH has the tools alone. */
  readonly env: { readonly [name: string]: string };
  /** Every start of a tool, in order. */
  starts(): readonly { readonly tool: string; readonly args: readonly string[]; readonly cwd: string }[];
}

const SOURCE = readFileSync(join(import.meta.dirname, "tool.cjs"), "utf8");
const EVERY = Object.keys(TOOLS);

/** Written once, before any program is started: a file that is still open somewhere for writing cannot be run. */
const BIN = mkdtempSync(join(tmpdir(), "qm-stand-ins-"));
for (const tool of EVERY) {
  writeFileSync(join(BIN, tool), `#!${process.execPath}\n${SOURCE}`);
  chmodSync(join(BIN, tool), 0o755);
}
afterAll(() => rmSync(BIN, { recursive: true, force: true }));

/** Strict stand-ins of the tools on a PATH of their own, in a world of their own. */
export function standIns(world: World = {}): StandIns {
  const root = tempDirectory({ "world.json": JSON.stringify({ op: {}, aws: {}, vals: {}, dotenvx: {}, ...world }) });
  const log = join(root, "log");
  return {
    env: { PATH: BIN, STAND_IN_WORLD: join(root, "world.json"), STAND_IN_LOG: log },
    starts: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
  };
}
