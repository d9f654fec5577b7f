import { createHash, randomBytes } from "node:crypto";
import type { Deadline } from "../deadline.ts";
import type { ExecRequest } from "../exec.ts";
import type { MachineDriver } from "../machine-driver.ts";

/** What a step works with: the machine of the run, and the step's deadline. */
export interface SmokeContext {
  readonly driver: MachineDriver;
  readonly id: string;
  readonly deadline: Deadline;
}

/** One thing that a working boxd machine does. Throws an error that says what was seen instead. */
export interface SmokeStep {
  /** A few words, as the progress line shows them. */
  readonly title: string;
  /** Longest time the step may take, in milliseconds. */
  readonly limitMs: number;
  readonly run: (context: SmokeContext) => Promise<void>;
}

const FIVE_MIB = 5 * 1024 * 1024;

/** The steps between making the machine and deleting it: commands, a file above one message of the control plane, state changes. */
export const SMOKE_STEPS: readonly SmokeStep[] = [
  {
    title: "run a command: exit code and both streams",
    limitMs: 60_000,
    async run(context) {
      const { exitCode, stdout, stderr } = await shell(context, "printf out; printf err >&2; exit 7");
      expectSame("exit code", 7, exitCode);
      expectSame("stdout", "out", stdout);
      expectSame("stderr", "err", stderr);
    },
  },
  {
    title: "pass an environment value",
    limitMs: 60_000,
    async run(context) {
      const value = "two words, $HOME 'and' \"quotes\"";
      const { stdout } = await shell(context, 'printf %s "$SMOKE_VALUE"', { env: { SMOKE_VALUE: value } });
      expectSame("the value inside", value, stdout);
    },
  },
  {
    title: "feed stdin",
    limitMs: 60_000,
    async run(context) {
      const { stdout } = await shell(context, "cat", { stdin: "line one\nline two\n" });
      expectSame("what cat printed", "line one\nline two\n", stdout);
    },
  },
  {
    title: "end a command at its deadline",
    limitMs: 60_000,
    async run({ driver, id, deadline }) {
      const short = deadline.part(5_000, "end a command");
      const outcome = await driver.exec(id, { command: "sleep 300 & sleep 300" }, short);
      expectSame("how it ended", "timeout", outcome.ended);
      if (outcome.ended === "timeout" && !outcome.groupGone)
        throw new Error("the command's process group is still there");
    },
  },
  {
    title: "send and fetch a file of 5 MiB",
    limitMs: 180_000,
    async run(context) {
      const { driver, id, deadline } = context;
      const path = `${driver.home}/qm-deploy-smoke.bin`;
      const content = randomBytes(FIVE_MIB);
      await driver.upload(id, path, content, {}, deadline);
      const { stdout } = await shell(context, `sha256sum < "${path}"`);
      expectSame("SHA-256 on the machine", sha256(content), stdout.slice(0, 64));
      const back = await driver.download(id, path, deadline);
      expectSame("SHA-256 after fetching it", sha256(content), back === null ? null : sha256(back));
      const missing = await driver.download(id, `${path}.missing`, deadline);
      expectSame("a file that is not there", null, missing === null ? null : "content");
    },
  },
  {
    title: "suspend and resume, a file and a process kept",
    limitMs: 240_000,
    async run(context) {
      const { driver, id, deadline } = context;
      const sleeper = "setsid sleep 3600 > /dev/null 2>&1 < /dev/null & printf %s $! > smoke-pid";
      await shell(context, `printf kept > smoke-kept; ${sleeper}`);
      await driver.suspend(id, deadline);
      expectSame("state", "suspended", (await driver.inspect(id, deadline)).state);
      await driver.ensureRunning(id, deadline);
      expectSame("state", "running", (await driver.inspect(id, deadline)).state);
      const look = 'cat smoke-kept; kill -0 "$(cat smoke-pid)" && printf " alive"';
      expectSame("file and process after resuming", "kept alive", (await shell(context, look)).stdout);
    },
  },
  {
    title: "stop and start, the file kept",
    limitMs: 240_000,
    async run(context) {
      const { driver, id, deadline } = context;
      await driver.stopConfirmed(id, deadline);
      await driver.ensureRunning(id, deadline);
      expectSame("the file after starting", "kept", (await shell(context, "cat smoke-kept")).stdout);
    },
  },
];

/** Throws unless the machine did as expected. Says both; nothing of a smoke run is secret. */
function expectSame(what: string, expected: string | number | null, seen: string | number | null): void {
  if (expected !== seen) throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(seen)}`);
}

/** Runs a shell script to its end and gives what it printed; throws when it was cut short. */
async function shell({ driver, id, deadline }: SmokeContext, command: string, more: Partial<ExecRequest> = {}) {
  const outcome = await driver.exec(id, { command, ...more }, deadline);
  if (outcome.ended !== "exit") throw new Error(`the command was ended by a ${outcome.ended}`);
  return outcome;
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
