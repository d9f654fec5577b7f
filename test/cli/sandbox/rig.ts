import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parseDocument } from "../../../src/config/parse.ts";
import { type Behaviour, PULLED, StandIns } from "../../publish/stand-in.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { type Ran, runCli } from "../built.ts";
import { runInProcess } from "../in-process.ts";

export const NAME = "qm.config.jsonc";
/** Never printed. */
export const TOKEN = "FlyV1-canary-d41d8cd98f00b204e9800998ecf8427e";
export const REPOSITORY = "registry.fly.io/acme-sandboxes";
/** The base of the Dockerfile as docker pulls it. */
export const BASE = `debian:12-slim@${PULLED}`;
export const ENV = { ".env": `FLY_SANDBOX_API_TOKEN=${TOKEN}\n` };
/** What docker says it has of the base. */
export const KNOWN = ["docker.io/other/image@sha256:" + "11".repeat(32), `debian@${PULLED}`];

/** Only this release boots layer images. */
export const PINNED = { "package.json": '{ "devDependencies": { "@yc-software/qm": "0.1.6" } }\n' };

type Files = { readonly [path: string]: string };

export interface Rig {
  readonly cwd: string;
  readonly standIns: StandIns;
  readonly config: () => string;
  readonly run: (...args: string[]) => Ran;
  /** For what ends before anything is put together: only a program's own temporary directory shows what it leaves there. */
  readonly runInProcess: (...args: string[]) => Promise<Ran>;
}

/** A deployment under qm 0.1.6, and docker and fly that only write down what they are asked. */
export function rig(
  files: Files,
  behaviour: Behaviour = {},
  more: { readonly programs?: readonly string[]; readonly env?: { readonly [name: string]: string } } = {},
): Rig {
  const cwd = tempDirectory({ ...PINNED, ...files });
  const standIns = new StandIns(TOKEN, { repoDigests: KNOWN, ...behaviour }, more.programs);
  const env = { PATH: standIns.bin, TMPDIR: tempDirectory(), ...more.env };
  const run = (...args: string[]): Ran => {
    const ran = runCli(["sandbox", ...args], { cwd, env });
    expect(ran.stdout + ran.stderr).not.toContain(TOKEN);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
    return ran;
  };
  const inProcess = async (...args: string[]): Promise<Ran> => {
    const ran = await runInProcess(["sandbox", ...args], { cwd, env });
    expect(ran.stdout + ran.stderr).not.toContain(TOKEN);
    return ran;
  };
  return { cwd, standIns, config: () => readFileSync(join(cwd, NAME), "utf8"), run, runInProcess: inProcess };
}

/** What a config text says of `sandbox`. */
export function recorded(config: string): unknown {
  const document = parseDocument({ file: NAME, text: config });
  expect(document.diagnostics).toEqual([]);
  return document.value(["sandbox"]);
}

/** What was run. Paths of temporary files differ from run to run. */
export function argsOf({ standIns }: Rig): string[][] {
  return standIns.calls.map(({ program, args }) => [
    program,
    ...args.map((arg) => arg.replace(/^.*\/qm-deploy-sandbox-\w+\//, "temporary/")),
  ]);
}
