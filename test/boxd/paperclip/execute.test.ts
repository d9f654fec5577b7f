import { describe, expect, test } from "vitest";
import { JumpClock, type LeapClock, scenarios, untilRuns } from "../../support/boxd-fake/index.ts";
import { RETRYABLE } from "./host-rules.ts";
import { commandRig, needsProcesses, Rig, skipWithoutProcesses, thrown } from "./rig.ts";

const CANARY = "canary-secret-0123456789";

/** A call that runs the command itself, not the driver's own small scripts. */
const isRun = (args: readonly unknown[]): boolean => (args[1] as { command: string }).command.includes("setsid");

async function leased(rig: Rig) {
  return (await rig.leased()).lease;
}

describe.skipIf(skipWithoutProcesses)(`execute${needsProcesses}`, () => {
  const HOSTILE = [
    "",
    "-n",
    "--",
    "a b",
    "$(touch pwned)",
    "`touch pwned`",
    "'",
    '"',
    "it's $HOME",
    "line\nbreak",
    "\\",
    "*",
    "~",
    ";rm -rf .",
    "ü€😀",
  ];

  test("P23 every argument and value arrives as it is", async () => {
    await using rig = commandRig();
    const lease = await leased(rig);
    const args = await rig.execute(lease, "printf", ["%s\\0", ...HOSTILE]);
    expect(args.stdout.split("\0").slice(0, -1)).toEqual(HOSTILE);
    const env = Object.fromEntries(HOSTILE.map((value, index) => [`V${index}`, value]));
    const values = await rig.execute(
      lease,
      "sh",
      ["-c", HOSTILE.map((_, index) => `printf '%s\\0' "$V${index}"`).join(";")],
      { env },
    );
    expect(values.stdout.split("\0").slice(0, -1)).toEqual(HOSTILE);
    expect((await rig.execute(lease, "ls", ["-A"])).stdout).toBe("");
  });

  test("P23 a directory of any name", async () => {
    await using rig = commandRig();
    const lease = await leased(rig);
    const cwd = '/home/boxd/it\'s $(a) "dir"';
    await rig.execute(lease, "mkdir", ["-p", cwd]);
    expect((await rig.execute(lease, "pwd", [], { cwd })).stdout).toBe(`${cwd}\n`);
  });

  test.each(["", "1A", "A-B", "A B", "A=B", "$(x)"])(
    "P23 the environment name %j is refused, and nothing runs",
    async (name) => {
      await using rig = commandRig();
      const lease = await leased(rig);
      expect((await thrown(rig.execute(lease, "touch", ["ran"], { env: { [name]: CANARY } }))).message).not.toContain(
        CANARY,
      );
      expect((await rig.execute(lease, "ls")).stdout).toBe("");
    },
  );

  test("P24 an environment is one command's own, and on no command line nor in an error", async () => {
    await using rig = commandRig();
    const lease = await leased(rig);
    const show = () => rig.execute(lease, "sh", ["-c", 'printf %s "$TOKEN"'], {});
    expect((await rig.execute(lease, "sh", ["-c", 'printf %s "$TOKEN"'], { env: { TOKEN: CANARY } })).stdout).toBe(
      CANARY,
    );
    expect((await show()).stdout).toBe("");
    rig.plane.faults.inject({
      method: "machines.exec",
      where: isRun,
      error: () => new Error(`socket closed: ${CANARY}`),
    });
    expect((await thrown(rig.execute(lease, "true", [], { env: { TOKEN: CANARY } }))).message).not.toContain(CANARY);
    expect(rig.plane.recorder.leaksOf(CANARY)).toEqual([]);
  });

  test("P25 stdin is a private file of the machine's user", async () => {
    await using rig = commandRig();
    const lease = await leased(rig);
    const result = await rig.execute(lease, "sh", ["-c", "stat -L -c '%a %u' /proc/self/fd/0; id -u; cat"], {
      stdin: CANARY,
    });
    const [stat, uid, text] = result.stdout.split("\n");
    expect(stat).toBe(`600 ${uid}`);
    expect(text).toBe(CANARY);
    expect(rig.plane.recorder.leaksOf(CANARY)).toEqual([]);
  });

  test("P07 P25 an agent without file calls cannot take input privately: refused, not put on a command line", async () => {
    await using rig = commandRig({ plane: { quirks: { fileApi: false } } });
    const lease = await leased(rig);
    await thrown(rig.execute(lease, "touch", ["ran"], { stdin: CANARY }));
    expect((await rig.execute(lease, "ls")).stdout).toBe("");
    expect(rig.plane.recorder.leaksOf(CANARY)).toEqual([]);
  });

  test.each<[string, string[], number]>([
    ["success", ["-c", "cat >/dev/null"], 10_000],
    ["failure", ["-c", "exit 3"], 10_000],
    ["timeout", ["-c", "sleep 300"], 800],
  ])("P25 nothing of the staging is left after %s", async (_name, args, timeoutMs) => {
    await using rig = commandRig();
    const lease = await leased(rig);
    await rig.execute(lease, "sh", args, { stdin: "input", env: { A: "b" }, timeoutMs });
    // The command that looks has a run directory of its own, of which it is part.
    const found = await rig
      .machineOf(lease.providerLeaseId ?? "")
      .exec("find /home/boxd/.qm-deploy -mindepth 2; find /tmp -type f");
    expect(found.stdout.toString()).toBe("");
  });

  test.each([undefined, ""])("P25 input %j ends at once", async (stdin) => {
    await using rig = commandRig();
    const lease = await leased(rig);
    expect(
      await rig.execute(lease, "cat", [], { ...(stdin === undefined ? {} : { stdin }), timeoutMs: 10_000 }),
    ).toMatchObject({ exitCode: 0, stdout: "" });
  });

  test("P25 P32 commands of one lease run side by side, each with its own input", async () => {
    await using rig = commandRig();
    const lease = await leased(rig);
    const inputs = Array.from({ length: 6 }, (_, index) => `input ${index}`);
    // Each waits until all have begun.
    const script = "echo x >>begun; while [ $(wc -l <begun) -lt 6 ]; do sleep 0.05; done; cat";
    const results = await Promise.all(
      inputs.map((stdin) => rig.execute(lease, "sh", ["-c", script], { stdin, timeoutMs: 20_000 })),
    );
    expect(results.map(({ stdout }) => stdout)).toEqual(inputs);
    const staged = rig.plane.recorder.uploads().map(({ path }) => path);
    expect(new Set(staged).size).toBe(inputs.length);
  });

  test.each([0, 1, 42, 124, 137, 255])(
    "P26 status %i is exact and no timeout, and the streams are split",
    async (status) => {
      await using rig = commandRig();
      const lease = await leased(rig);
      expect(await rig.execute(lease, "sh", ["-c", `echo out; echo err >&2; exit ${status}`])).toEqual({
        exitCode: status,
        signal: null,
        timedOut: false,
        stdout: "out\n",
        stderr: "err\n",
      });
    },
  );

  test("P27 a timeout ends the whole group and keeps what was written", async () => {
    await using rig = commandRig();
    const { lease, machine } = await rig.leased();
    const script = "echo begun; sh -c 'trap \"\" TERM; sleep 301 & sleep 302' & sleep 303";
    const running = rig.execute(lease, "sh", ["-c", script], { timeoutMs: 60_000 });
    for (const word of ["301", "302", "303"]) await untilRuns(machine, word);
    (rig.clock as LeapClock).leap(60_000);
    expect(await running).toEqual({
      exitCode: null,
      signal: "SIGKILL",
      timedOut: true,
      stdout: "begun\n",
      stderr: "",
      metadata: { groupGone: true },
    });
    expect(rig.plane.processes().filter(({ argv }) => argv.join(" ").includes("sleep 30"))).toEqual([]);
  });

  test.each(["suspended", "hibernated", "stopped"] as const)(
    "P28 a %s machine is woken and runs the command once",
    async (status) => {
      await using rig = commandRig();
      const { lease, machine } = await rig.leased();
      await machine.force(status);
      expect(await rig.execute(lease, "sh", ["-c", "echo ran >>count; cat count"])).toMatchObject({
        exitCode: 0,
        stdout: "ran\n",
      });
    },
  );

  test("P28 a refusal that names a stopped machine: started, sent once more, run once", async () => {
    await using rig = commandRig();
    const lease = await leased(rig);
    rig.plane.faults.inject(scenarios.refused("machines.exec", 9, "VM is stopped: start it first", { where: isRun }));
    expect(await rig.execute(lease, "sh", ["-c", "echo ran >>count; cat count"])).toMatchObject({
      exitCode: 0,
      stdout: "ran\n",
    });
    expect(rig.plane.recorder.of("machines.exec").filter(({ args }) => isRun(args))).toHaveLength(2);
  });

  test.each([4, 14] as const)(
    "P28 a lost answer (%i) is no timeout, is not repeated, and not in words that the host retries",
    async (code) => {
      await using rig = commandRig();
      const lease = await leased(rig);
      rig.plane.faults.inject(scenarios.answerLost("machines.exec", code, { where: isRun }));
      const { message } = await thrown(rig.execute(lease, "sh", ["-c", "echo ran >>count"]));
      expect(message).toContain("outcome of the command is unknown");
      expect(message).not.toMatch(RETRYABLE);
      expect((await rig.execute(lease, "cat", ["count"])).stdout).toBe("ran\n");
    },
  );

  test("without a lease id", async () => {
    await using rig = commandRig();
    expect(await rig.execute({ providerLeaseId: null }, "true")).toEqual({
      exitCode: 1,
      timedOut: false,
      stdout: "",
      stderr: "No provider lease ID available for execution.",
    });
  });

  test("P15 cancelling ends running commands, and the lease takes none until it is resumed", async () => {
    await using rig = commandRig({ config: { reuseLease: true } });
    const { lease, id, machine } = await rig.leased();
    const running = rig.execute(lease, "sh", ["-c", "echo begun >begun; sleep 300"]);
    while ((await machine.exec("cat paperclip-workspace/begun 2>/dev/null")).stdout.length === 0)
      await rig.clock.sleep(20);
    expect(await rig.release(lease, { cancelActiveWork: true })).toEqual({ providerLeaseId: id, state: "stopped" });
    expect(await running).toMatchObject({ exitCode: null, timedOut: false });
    expect(machine.processes()).toEqual([]);
    expect((await thrown(rig.execute(lease, "true"))).message).toContain("released");
    await rig.resume(lease);
    expect(await rig.execute(lease, "true")).toMatchObject({ exitCode: 0 });
  });

  test.each(["before", "after"] as const)(
    "P15 P31 cancelling ends a realization that is on its way (%s its effect): the machine stays stopped, and the lease realizes none until it is resumed",
    async (when) => {
      await using rig = commandRig({ config: { reuseLease: true } });
      const { lease, id, machine } = await rig.leased();
      const realize = () => rig.hooks.onEnvironmentRealizeWorkspace({ ...rig.base, lease, workspace: {} });
      let arrived = (): void => undefined;
      const here = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      let goOn = (): void => undefined;
      rig.plane.faults.inject({
        method: "machines.exec",
        when,
        hold: () =>
          new Promise<void>((resolve) => {
            goOn = resolve;
            arrived();
          }),
      });
      const realizing = thrown(realize());
      await here;
      expect(await rig.release(lease, { cancelActiveWork: true })).toEqual({ providerLeaseId: id, state: "stopped" });
      goOn();
      expect((await realizing).message).toContain("aborted");
      expect((await thrown(realize())).message).toContain("released");
      expect(machine.status).toBe("stopped");
      expect(rig.plane.recorder.of("machines.start")).toEqual([]);
      await rig.resume(lease);
      expect(await realize()).toMatchObject({ cwd: "/home/boxd/paperclip-workspace" });
    },
  );

  test("P15 a command that does not end when it is told to keeps the machine for 15 seconds, not for the whole time of the stop", async () => {
    await using rig = new Rig({
      clock: (plane) => new JumpClock(plane, 0),
      config: { timeoutMs: 60_000 },
      times: { settleMs: 50_000 },
    });
    const { lease, id } = await rig.leased();
    // Neither the command nor its end is answered.
    rig.plane.faults.inject(
      scenarios.stalled("machines.exec", "before", {
        times: Infinity,
        where: ([, params]) => (params as { command: string }).command !== "sync",
      }),
    );
    const running = rig.execute(lease, "sleep", ["300"]);
    await rig.clock.sleep(1);
    const before = rig.clock.now();
    expect(await rig.hooks.onEnvironmentStopLease(rig.params(lease))).toEqual({
      providerLeaseId: id,
      state: "stopped",
    });
    expect(rig.clock.now() - before).toBeGreaterThanOrEqual(15_000);
    expect(rig.clock.now() - before).toBeLessThanOrEqual(20_000);
    await running;
  });

  test("P18 a lease whose machine is being destroyed takes no command any more, and its running one is ended", async () => {
    await using rig = commandRig();
    const { lease, id, machine } = await rig.leased();
    const running = rig.execute(lease, "sh", ["-c", "echo begun >begun; sleep 300"]);
    while ((await machine.exec("cat paperclip-workspace/begun 2>/dev/null")).stdout.length === 0)
      await rig.clock.sleep(20);
    let refused = "";
    rig.plane.faults.inject({
      method: "machines.delete",
      hold: async () => {
        refused = (await thrown(rig.execute(lease, "true"))).message;
      },
    });
    const destroyed = rig.destroy(lease);
    expect(await running, "ended by the hook, not lost with its machine").toMatchObject({
      exitCode: null,
      timedOut: false,
      signal: "SIGKILL",
    });
    expect(await destroyed).toEqual({ providerLeaseId: id, state: "destroyed" });
    expect(refused).toContain("released");
  });

  test("P14 without cancelling, a release waits for running commands", async () => {
    await using rig = commandRig({ config: { reuseLease: true } });
    const { lease, machine } = await rig.leased();
    const running = rig.execute(lease, "sh", [
      "-c",
      "echo begun >begun; while [ ! -e go ]; do sleep 0.05; done; echo done",
    ]);
    while ((await machine.exec("cat paperclip-workspace/begun 2>/dev/null")).stdout.length === 0)
      await rig.clock.sleep(20);
    const released = rig.release(lease);
    await machine.exec("touch paperclip-workspace/go");
    expect(await running).toMatchObject({ exitCode: 0, stdout: "done\n" });
    await released;
    expect(machine.status).toBe("suspended");
  });
});
