import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../../scripts/build.mjs";
import { runAction } from "../../src/action/run-action.ts";
import { plainEnv, ROOT } from "../cli/built.ts";
import { fakeIo } from "../cli/fake-io.ts";
import { tempDirectory } from "../workspace/temp.ts";

await ensureBuilt();

export interface StepResult {
  readonly status: number | null;
  /** The log of the step. */
  readonly log: string;
  readonly outputs: { readonly [name: string]: string };
  readonly summary: string;
}

/** Reads outputs as the runner does: `name<<word`, the value's lines, the word. */
export function readOutputs(text: string): { [name: string]: string } {
  const found = [...text.matchAll(/^([^\n<]+)<<([^\n]+)\n(?:([^]*?)\n)?\2\n/gm)];
  const read = found.map(([, name = "", , value = ""]) => [name, value] as const);
  if (found.map(([all]) => all).join("") !== text) throw new Error(`the runner cannot read these outputs:\n${text}`);
  return Object.fromEntries(read);
}

export interface StepOptions {
  readonly event?: object;
  readonly env?: { readonly [name: string]: string };
}

type Inputs = { readonly [name: string]: string };

/** The environment of a step as the runner sets it, and what the step has left in the runner's files. */
function runnerOf(workspace: string, inputs: Inputs, { event = {}, env = {} }: StepOptions) {
  const runner = tempDirectory({ "output.txt": "", "summary.md": "", "event.json": JSON.stringify(event) });
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const read = (name: string): string => readFileSync(join(runner, name), "utf8");
  return {
    env: plainEnv({
      ...Object.fromEntries(given),
      GITHUB_ACTIONS: "true",
      GITHUB_WORKSPACE: workspace,
      GITHUB_OUTPUT: join(runner, "output.txt"),
      GITHUB_STEP_SUMMARY: join(runner, "summary.md"),
      GITHUB_EVENT_PATH: join(runner, "event.json"),
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: "acme/fleet",
      GITHUB_SHA: "c0ffee".padEnd(40, "0"),
      GITHUB_ACTION_REPOSITORY: "qm/qm-deploy",
      GITHUB_ACTION_REF: "v0.1.0",
      ...env,
    }),
    left: () => ({ outputs: readOutputs(read("output.txt")), summary: read("summary.md") }),
  };
}

/** Runs the built Action as a step of a workflow. */
export function runBuiltStep(workspace: string, inputs: Inputs = {}, options: StepOptions = {}): StepResult {
  const { env, left } = runnerOf(workspace, inputs, options);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "dist/action/main.cjs")], {
    cwd: workspace,
    encoding: "utf8",
    env,
  });
  return { status, log: stdout + stderr, ...left() };
}

/** The same of the sources, in this process. */
export async function runStep(workspace: string, inputs: Inputs = {}, options: StepOptions = {}): Promise<StepResult> {
  const { env, left } = runnerOf(workspace, inputs, options);
  const io = fakeIo([], { cwd: workspace, env });
  const status = await runAction(io);
  return { status, log: io.out + io.err, ...left() };
}
