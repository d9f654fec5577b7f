import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MachineDriver, type BoxdClient, type ExecRequest } from "../../../src/boxd/driver/index.ts";
import { LiveOutput } from "../../../src/boxd/driver/live-output.ts";
import { execStream } from "../../support/boxd-fake/exec-stream.ts";
import { grpcError, LeapClock, scenarios, type FakeMachine } from "../../support/boxd-fake/index.ts";
import { runs } from "../../support/runs.ts";
import { commandRig, LONG_MS, needsProcesses, skipWithoutProcesses } from "./rig.ts";

/** Who is told of the output, and what it was told. */
class Listener {
  readonly pieces: [stream: string, text: string][] = [];
  readonly #onPiece: (text: string) => void;

  constructor(onPiece: (text: string) => void = () => undefined) {
    this.#onPiece = onPiece;
  }

  readonly onOutput: NonNullable<ExecRequest["onOutput"]> = (stream, text) => {
    this.pieces.push([stream, text]);
    this.#onPiece(text);
  };

  /** All that it was told of both streams. */
  get sum() {
    const of = (name: string): string =>
      this.pieces
        .filter(([stream]) => stream === name)
        .map(([, text]) => text)
        .join("");
    return { stdout: of("stdout"), stderr: of("stderr") };
  }
}

/** Waits inside a command until the listener lets it go on: were output not live, it would never end. */
const WAIT = "while [ ! -e go ]; do sleep 0.02; done";
const goOn = ({ disk }: FakeMachine): void => writeFileSync(join(disk.home, "go"), "");

type StreamExec = NonNullable<BoxdClient["machines"]["streamExec"]>;

/** The client with another `streamExec`, or none. */
function withStreams(client: BoxdClient, streamExec: StreamExec | undefined): BoxdClient {
  const machines = Object.assign(Object.create(client.machines) as BoxdClient["machines"], { streamExec });
  return Object.assign(Object.create(client) as BoxdClient, { machines });
}

function driverOn(client: BoxdClient, clock = new LeapClock(), settleMs = 30_000): MachineDriver {
  return new MachineDriver({ client, clock, times: { pollMs: 20, listingLagMs: 100, settleMs } });
}

describe.skipIf(skipWithoutProcesses)(`output while a command runs${needsProcesses}`, () => {
  test("comes while it runs, in order, from both streams, and is the outcome's", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const listener = new Listener(() => listener.pieces.length === 2 && goOn(machine));
    const command = `echo one; echo bad >&2; ${WAIT}; echo two; exit 3`;
    const outcome = await rig.driver.exec(machine.id, { command, onOutput: listener.onOutput });
    expect(outcome).toEqual({ ended: "exit", exitCode: 3, stdout: "one\ntwo\n", stderr: "bad\n" });
    expect(listener.sum).toEqual({ stdout: "one\ntwo\n", stderr: "bad\n" });
    expect(listener.pieces.at(-1)).toEqual(["stdout", "two\n"]);
  });

  test("a character that comes in two pieces is shown when it is whole", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const listener = new Listener(() => goOn(machine));
    const command = `printf 'a\\303'; ${WAIT}; printf '\\274b'`;
    await rig.driver.exec(machine.id, { command, onOutput: listener.onOutput });
    expect(listener.pieces).toEqual([
      ["stdout", "a"],
      ["stdout", "üb"],
    ]);
  });

  test("a command takes its input, and reads its end at once where there is none", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    for (const stdin of ["input", ""]) {
      const listener = new Listener();
      expect(await rig.driver.exec(id, { command: "cat", stdin, onOutput: listener.onOutput })).toMatchObject({
        ended: "exit",
        stdout: stdin,
      });
      expect(listener.sum.stdout).toBe(stdin);
    }
  });

  test("a listener that throws changes nothing", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    let told = 0;
    const onOutput = (): never => {
      told += 1;
      throw new Error("nobody listens");
    };
    expect(await rig.driver.exec(id, { command: "echo one; echo bad >&2; exit 3", onOutput })).toEqual({
      ended: "exit",
      exitCode: 3,
      stdout: "one\n",
      stderr: "bad\n",
    });
    expect(told).toBeGreaterThan(1);
  });

  test.each([
    ["timeout", (leap: () => void) => leap()],
    ["abort", (_leap: () => void, controller: AbortController) => controller.abort()],
  ] as const)("at a %s the outcome has what was shown, half a character less", async (ended, end) => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const controller = new AbortController();
    const listener = new Listener(() => end(rig.leap, controller));
    const outcome = await rig.driver.exec(
      id,
      { command: "printf 'a\\303'; sleep 305", onOutput: listener.onOutput },
      { timeoutMs: LONG_MS, signal: controller.signal },
    );
    expect(outcome).toEqual({ ended, exitCode: null, stdout: "a", stderr: "", groupGone: true });
    expect(listener.pieces).toEqual([["stdout", "a"]]);
  });

  test("a call that shows something and then never answers: the outcome has it, and the stream is closed", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const client = rig.plane.client();
    let closed = 0;
    const mute = withStreams(client, (id, params) => {
      const stream = client.machines.streamExec!(id, params);
      return { ...stream, wait: () => new Promise(() => undefined), close: () => (closed += 1) };
    });
    const clock = new LeapClock();
    const listener = new Listener(() => clock.leap(LONG_MS));
    const outcome = await driverOn(mute, clock, 2_000).exec(
      machine.id,
      { command: "echo one; sleep 306", onOutput: listener.onOutput },
      { timeoutMs: LONG_MS },
    );
    expect(outcome).toEqual({ ended: "timeout", exitCode: null, stdout: "one\n", stderr: "", groupGone: true });
    expect(listener.pieces).toEqual([["stdout", "one\n"]]);
    expect(closed).toBe(1);
  });

  test.each([
    ["is lost", () => grpcError(14, "connection lost"), 1],
    ["says that the machine has stopped", () => grpcError(9, "VM box-1 is stopped"), 2],
  ])(
    "after a call that showed something and %s nothing is shown twice, and nothing runs twice",
    async (_title, error, sent) => {
      await using rig = commandRig();
      const machine = await rig.running();
      const client = rig.plane.client();
      let broken = false;
      const breaking = withStreams(client, (id, params) => {
        const stream = client.machines.streamExec!(id, params);
        if (broken) return stream;
        const lost = new Promise<never>((_resolve, reject) => {
          listener.told.then(() => reject(error()));
        });
        broken = true;
        stream.wait().catch(() => undefined);
        return { ...stream, wait: () => lost };
      });
      const listener = Object.assign(new Listener(() => listener.tell()), promised());
      const command = "echo run >>ledger; sync; echo one; sleep 307";
      await expect(driverOn(breaking).exec(machine.id, { command, onOutput: listener.onOutput })).rejects.toMatchObject(
        { kind: "transient", message: expect.stringContaining("is not running any more") },
      );
      expect(listener.pieces).toEqual([["stdout", "one\n"]]);
      expect(rig.plane.recorder.commands().filter((script) => script.includes("mkfifo"))).toHaveLength(sent);
      expect(await rig.driver.exec(machine.id, { command: "cat ledger" })).toMatchObject({ stdout: "run\n" });
      expect(listener.pieces, "nor later").toHaveLength(1);
    },
  );

  test.each([
    ["answered in full", undefined],
    ["cut in the middle of a character", scenarios.outputCut(4)],
    ["capped", scenarios.becomes({ outputCap: 4 }, "machines.exec")],
    ["decoded in pieces", scenarios.charactersSplit(3)],
  ])("what was shown is what the outcome has: %s", async (_title, fault) => {
    await using rig = commandRig();
    const { id } = await rig.running();
    if (fault !== undefined) rig.plane.faults.inject(fault);
    const listener = new Listener();
    const outcome = await rig.driver.exec(id, {
      command: "printf 'abcüü€'; printf 'x€y' >&2",
      onOutput: listener.onOutput,
    });
    expect(listener.sum).toEqual({ stdout: outcome.stdout, stderr: outcome.stderr });
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  test("large output comes in pieces of at most 65,536 units", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const listener = new Listener();
    const outcome = await rig.driver.exec(id, {
      command: "yes 0123456789 | head -c 1000000; yes ü€😀 | head -c 900000 >&2",
      onOutput: listener.onOutput,
    });
    expect(listener.sum.stdout === outcome.stdout && listener.sum.stderr === outcome.stderr).toBe(true);
    expect(outcome.stdout).toHaveLength(1_000_000);
    expect(Math.max(...listener.pieces.map(([, text]) => text.length))).toBeLessThanOrEqual(65_536);
  });

  test("the runner's own words are never shown, and a command's that look like them are", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const listener = new Listener();
    const { onOutput } = listener;
    await expect(rig.driver.exec(id, { command: "true", cwd: "/nowhere", onOutput })).rejects.toMatchObject({
      kind: "invalid",
    });
    expect(listener.pieces).toEqual([]);
    const command = `t=$(ls .qm-deploy/run); printf '%s' "$t" >&2; printf '%s:x\\nafter\\n' "$t" >&2`;
    const { stderr } = await rig.driver.exec(id, { command, onOutput });
    expect(stderr).toMatch(/^(\w{24})\1:x\nafter\n$/);
    expect(listener.sum.stderr).toBe(stderr);
  });

  test("with an SDK that has no streams it comes at the end", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const listener = new Listener();
    const driver = driverOn(withStreams(rig.plane.client(), undefined));
    await driver.exec(id, { command: "echo one; echo bad >&2", onOutput: listener.onOutput });
    expect(listener.pieces).toEqual([
      ["stdout", "one\n"],
      ["stderr", "bad\n"],
    ]);
  });
});

const TOKEN = "0123456789abcdef01234567";

test("whatever bytes come in whatever pieces: whole characters in order, and the runner's words only at the end", async () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.string({ unit: "binary", maxLength: 6 }).map((text) => Buffer.from(text)),
    fc.constantFrom(TOKEN, `${TOKEN}:`, TOKEN.slice(0, 7)).map((text) => Buffer.from(text)),
  );
  const written = fc.array(fc.tuple(fc.boolean(), part, fc.nat(5)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(written, async (parts) => {
      const listener = new Listener();
      const live = new LiveOutput(TOKEN, listener.onOutput);
      const streamExec: StreamExec = () =>
        execStream(true, async (show) => {
          for (const [isStderr, bytes, at] of parts) {
            show(Buffer.from(bytes.subarray(0, at)), isStderr);
            await Promise.resolve();
            show(Buffer.from(bytes.subarray(at)), isStderr);
          }
          return 0;
        });
      const result = await live.run({ streamExec } as unknown as BoxdClient["machines"], "id", { command: "x" });
      const all = (isStderr: boolean): string =>
        Buffer.concat(parts.filter((one) => one[0] === isStderr).map(([, bytes]) => bytes)).toString("utf8");
      expect(result).toEqual({ stdout: all(false), stderr: all(true), exitCode: 0 });
      expect(result.stdout.startsWith(listener.sum.stdout)).toBe(true);
      expect(listener.sum.stderr).not.toContain(`${TOKEN}:`);
      live.finish(result);
      live.end();
      live.finish({ stdout: `${result.stdout}more`, stderr: "" });
      expect(listener.sum).toEqual({ stdout: result.stdout, stderr: result.stderr });
      for (const [, text] of listener.pieces) expect([text.isWellFormed(), text === ""]).toEqual([true, false]);
    }),
    { numRuns: runs(200, 2_000) },
  );
});

/** Something that happens once. */
function promised(): { told: Promise<void>; tell: () => void } {
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  return { told, tell };
}
