import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { BoxdDriverError } from "../../../src/boxd/driver/index.ts";
import { scenarios, untilNoneRuns, untilRuns, type FakeMachine } from "../../support/boxd-fake/index.ts";
import { commandRig, LONG_MS, needsProcesses, skipWithoutProcesses } from "./rig.ts";

/** What the driver has left in the machine. */
function leftovers(machine: FakeMachine): string[] {
  try {
    return readdirSync(join(machine.disk.home, ".qm-deploy/run"), { recursive: true }) as string[];
  } catch {
    return [];
  }
}

const HOSTILE = [
  "a b",
  "$(id)",
  "`id`",
  "'",
  `"`,
  "",
  "-n",
  "--",
  "x\ny",
  "*",
  "~",
  "a=b",
  "\\",
  "ü€😀",
  ";rm -rf /",
  "!!",
  "$HOME",
];

describe.skipIf(skipWithoutProcesses)(`commands${needsProcesses}`, () => {
  test.each([0, 1, 7, 124, 125, 126, 127, 137, 255])(
    "E-41 (fountain #880): exit status %d is exact, and no status means a timeout",
    async (status) => {
      await using rig = commandRig();
      const { id } = await rig.running();
      expect(await rig.driver.exec(id, { command: `echo out; echo err >&2; exit ${status}` })).toEqual({
        ended: "exit",
        exitCode: status,
        stdout: "out\n",
        stderr: "err\n",
      });
    },
  );

  test("every word arrives as it is", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const outcome = await rig.driver.exec(id, { command: ["printf", "<%s>\\n", ...HOSTILE] });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: HOSTILE.map((word) => `<${word}>\n`).join("") });
  });

  test("the environment and the directory hold for one command", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const env = Object.fromEntries(HOSTILE.map((value, index) => [`V${index}`, value]));
    const print = Object.keys(env)
      .map((name) => `printf '<%s>\\n' "$${name}"`)
      .join("; ");
    const first = await rig.driver.exec(id, { command: `pwd; ${print}`, env, cwd: "/tmp" });
    expect(first).toMatchObject({ exitCode: 0, stdout: `/tmp\n${HOSTILE.map((value) => `<${value}>\n`).join("")}` });
    const second = await rig.driver.exec(id, { command: 'pwd; echo "$V0"' });
    expect(second).toMatchObject({ exitCode: 0, stdout: "/home/boxd\n\n" });
  });

  test("a PATH of the caller's own is the command's, not the runner's", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    expect(await rig.driver.exec(id, { command: 'echo "$PATH"', env: { PATH: "/nowhere" } })).toMatchObject({
      exitCode: 0,
      stdout: "/nowhere\n",
    });
  });

  test.each(["1A", "A-B", "A B", "", "A=B", "OPTIND", "PPID"])(
    "environment name %j is refused before anything is called",
    async (name) => {
      await using rig = commandRig();
      const { id } = await rig.running();
      await expect(rig.driver.exec(id, { command: "true", env: { [name]: "s3cret-value" } })).rejects.toMatchObject({
        kind: "invalid",
      });
      expect(rig.plane.recorder.calls).toEqual([]);
    },
  );

  test("without input a command reads the end at once; with an empty one too", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    expect(await rig.driver.exec(id, { command: "cat; echo end" })).toMatchObject({ stdout: "end\n" });
    expect(await rig.driver.exec(id, { command: "cat; echo end", stdin: "" })).toMatchObject({ stdout: "end\n" });
  });

  test("input of several messages arrives whole", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const stdin = Buffer.alloc(7 * 1024 * 1024, "0123456789abcdef");
    expect(await rig.driver.exec(id, { command: "sha256sum | cut -c1-64", stdin })).toMatchObject({
      exitCode: 0,
      stdout: `${(await import("node:crypto")).createHash("sha256").update(stdin).digest("hex")}\n`,
    });
  });

  test("staged files are private, named apart, and gone afterwards", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const look =
      "stat -c %a /home/boxd/.qm-deploy/run /home/boxd/.qm-deploy/run/*; ls -A /home/boxd/.qm-deploy/run/*; cat";
    const request = { command: look, env: { TOKEN: "canary-1234" }, stdin: "canary-5678" };
    const outcomes = [await rig.driver.exec(machine.id, request), await rig.driver.exec(machine.id, request)];
    for (const outcome of outcomes) {
      expect(outcome.stdout).toContain("canary-5678");
      expect(outcome.stdout).not.toMatch(/^(in|env)$/m);
      expect(outcome.stdout.match(/^\d{3}$/gm)?.every((mode) => mode === "700")).toBe(true);
    }
    const paths = rig.plane.recorder.uploads().map(({ path }) => path);
    expect(new Set(paths).size).toBe(4);
    expect(leftovers(machine)).toEqual([]);
  });

  test("environment and input are in uploads only: no command line, no process list, no error", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const request = { command: "ps -eo args; exit 3", env: { TOKEN: "canary-1234" }, stdin: "canary-5678" };
    const outcome = await rig.driver.exec(id, request);
    // Programs of others run on this machine as well, so the values themselves are looked for.
    expect(outcome.stdout).not.toMatch(/canary-(?:1234|5678)/);
    rig.plane.faults.inject({
      method: "machines.exec",
      nth: 2,
      error: () => new Error("agent said: canary-1234 / Y2FuYXJ5LTU2Nzg="),
    });
    const error = await rig.driver.exec(id, request).catch((thrown: unknown) => thrown as Error);
    expect(error).toBeInstanceOf(Error);
    expect(`${String(error)} ${String((error as Error).cause)}`).not.toMatch(/canary|Y2FuYXJ5LTU2Nzg/);
    expect(rig.plane.recorder.leaksOf("canary-1234")).toEqual([]);
    expect(rig.plane.recorder.leaksOf("canary-5678")).toEqual([]);
  });

  test("a secret in an error's own fields or causes does not come along with it", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const inner = new Error("refused for canary-1234");
    for (const error of [
      Object.assign(new Error("no"), { metadata: { sent: ["canary-1234"] } }),
      new Error("no", { cause: inner }),
      new AggregateError([inner], "no"),
      { said: "canary-1234" },
    ]) {
      rig.plane.faults.inject({
        method: "machines.exec",
        where: (args) => JSON.stringify(args).includes("mkfifo"),
        error: () => error,
      });
      const caught: unknown = await rig.driver
        .exec(id, { command: "true", env: { TOKEN: "canary-1234" }, stdin: Buffer.from("canary-5678") })
        .catch((thrown: unknown) => thrown);
      expect(caught).toBeInstanceOf(BoxdDriverError);
      expect(inspect(caught, { depth: Infinity, showHidden: true })).not.toContain("canary");
    }
    rig.plane.faults.inject({ method: "machines.files.upload", error: () => new Error("cannot write canary-5678") });
    await expect(rig.driver.exec(id, { command: "true", stdin: Buffer.from("canary-5678") })).rejects.toThrow(
      /\[redacted\]/,
    );
  });

  test.each(["\0/home", "/home/\0x", "", "-P", "sub"])(
    "a directory that is no absolute path (%j) is refused before anything is staged",
    async (cwd) => {
      await using rig = commandRig();
      const { id } = await rig.running();
      await expect(
        rig.driver.exec(id, { command: "true", cwd, env: { TOKEN: "s3cret-value" }, stdin: "s3cret-input" }),
      ).rejects.toMatchObject({ kind: "invalid" });
      expect(rig.plane.recorder.methods().filter((method) => /upload|exec/.test(method))).toEqual([]);
    },
  );

  test("a directory that does not exist is an error that names it, and the command does not run", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    await expect(
      rig.driver.exec(machine.id, { command: "touch /home/boxd/ran", cwd: "/nope", stdin: "x" }),
    ).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining('"/nope"'),
    });
    expect(readdirSync(machine.disk.home)).not.toContain("ran");
    expect(leftovers(machine)).toEqual([]);
  });

  test.each([
    [3, "invalid"],
    [7, "auth"],
  ] as const)("what was staged for a command that is refused with code %d is gone", async (code, kind) => {
    await using rig = commandRig();
    const machine = await rig.running();
    rig.plane.faults.inject(
      scenarios.refused("machines.exec", code, "no", { where: (args) => JSON.stringify(args).includes("mkfifo") }),
    );
    await expect(rig.driver.exec(machine.id, { command: "true", stdin: "x" })).rejects.toMatchObject({ kind });
    expect(leftovers(machine)).toEqual([]);
  });

  test("a script longer than an argument may be is staged", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const outcome = await rig.driver.exec(machine.id, { command: `x='${"x".repeat(200_000)}'; echo \${#x}` });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: "200000\n" });
    expect(leftovers(machine)).toEqual([]);
  });

  test("E-56 (grasp #619): a background process that keeps the streams does not keep the call, and lives on", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const outcome = await rig.driver.exec(machine.id, { command: "sleep 300 & echo started" });
    expect(outcome).toEqual({ ended: "exit", exitCode: 0, stdout: "started\n", stderr: "" });
    expect(machine.processes().map(({ argv }) => argv.join(" "))).toEqual(["sleep 300"]);
  });

  test("parallel commands on one machine do not disturb each other", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) => rig.driver.exec(id, { command: `cat; exit ${n}`, stdin: `n${n}` })),
    );
    expect(outcomes).toEqual(
      Array.from({ length: 6 }, (_, n) => ({ ended: "exit", exitCode: n, stdout: `n${n}`, stderr: "" })),
    );
  });
});

describe.skipIf(skipWithoutProcesses)(`commands that must end early${needsProcesses}`, () => {
  /** A leader that ignores TERM, and children that a killed leader would leave behind. */
  const stubborn = "trap '' TERM; echo part; echo problem >&2; sleep 300 & sleep 301; echo never";

  /** What a group that was ended must not leave; what watched it ends within a second. */
  const running300s = (machine: FakeMachine) =>
    machine.processes().filter(({ argv }) => /^30[01]$/.test(argv[1] ?? ""));

  test("E-57 (agentrove #864): a deadline kills the whole group and keeps what was written", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const running = rig.driver.exec(
      machine.id,
      { command: stubborn, stdin: "x", env: { A: "b" } },
      { timeoutMs: LONG_MS },
    );
    await untilRuns(machine, "301");
    rig.leap();
    expect(await running).toEqual({
      ended: "timeout",
      exitCode: null,
      stdout: "part\n",
      stderr: "problem\n",
      groupGone: true,
    });
    expect(running300s(machine)).toEqual([]);
    await untilNoneRuns(machine);
    expect(leftovers(machine)).toEqual([]);
  });

  test("an abort does the same, and is told apart", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const abort = new AbortController();
    const running = rig.driver.exec(machine.id, { command: stubborn }, { signal: abort.signal });
    await untilRuns(machine, "301");
    abort.abort();
    expect(await running).toEqual({
      ended: "abort",
      exitCode: null,
      stdout: "part\n",
      stderr: "problem\n",
      groupGone: true,
    });
    expect(running300s(machine)).toEqual([]);
    await untilNoneRuns(machine);
    expect(leftovers(machine)).toEqual([]);
  });

  test("an abort before the command begins keeps it from beginning", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const abort = new AbortController();
    abort.abort();
    const outcome = await rig.driver.exec(machine.id, { command: "touch /home/boxd/ran" }, { signal: abort.signal });
    expect(outcome).toEqual({ ended: "abort", exitCode: null, stdout: "", stderr: "", groupGone: true });
    expect(rig.plane.recorder.of("machines.exec")).toEqual([]);
  });

  test("a command that is still on its way when its time is up never begins", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const hold = (): Promise<void> => {
      rig.leap();
      return held;
    };
    rig.plane.faults.inject({ method: "machines.exec", hold });
    const running = rig.driver.exec(machine.id, { command: "touch /home/boxd/ran" }, { timeoutMs: LONG_MS });
    while (rig.plane.recorder.of("machines.exec").filter(({ outcome }) => outcome === "ok").length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    release();
    expect(await running).toEqual({ ended: "timeout", exitCode: null, stdout: "", stderr: "", groupGone: true });
    expect(readdirSync(machine.disk.home)).not.toContain("ran");
    expect(leftovers(machine)).toEqual([]);
  });

  test("when the machine does not answer any more, the guest ends the command by itself", async () => {
    await using rig = commandRig({}, { times: { pollMs: 20, settleMs: 100 } });
    const machine = await rig.running();
    rig.plane.faults.inject(scenarios.stalled("machines.exec", "before", { nth: 2, times: Infinity }));
    const running = rig.driver.exec(machine.id, { command: "sleep 302" }, { timeoutMs: 2_000 });
    await untilRuns(machine, "302");
    rig.leap();
    expect(await running).toEqual({ ended: "timeout", exitCode: null, stdout: "", stderr: "", groupGone: false });
    await untilNoneRuns(machine);
  });

  test("E-38 (self-bench #36): a command that ends just before it would be killed keeps its status", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    // The answer is held back until the deadline has passed and the kill has found nothing.
    const hold = async (): Promise<void> => {
      rig.leap();
      await expect.poll(() => rig.plane.recorder.of("machines.exec")[1]?.outcome, { timeout: 120_000 }).toBe("ok");
    };
    rig.plane.faults.inject({ method: "machines.exec", when: "after", hold });
    expect(await rig.driver.exec(machine.id, { command: "echo done; exit 9" }, { timeoutMs: LONG_MS })).toEqual({
      ended: "exit",
      exitCode: 9,
      stdout: "done\n",
      stderr: "",
    });
    expect(leftovers(machine)).toEqual([]);
  });
});
