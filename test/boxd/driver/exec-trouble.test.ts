import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MachineDriver } from "../../../src/boxd/driver/index.ts";
import { BoxdError, fastClock, grpcError, scenarios } from "../../support/boxd-fake/index.ts";
import { commandRig, needsProcesses, skipWithoutProcesses } from "./rig.ts";

describe.skipIf(skipWithoutProcesses)(`commands and trouble${needsProcesses}`, () => {
  const ledger = "echo run >>/home/boxd/ledger; cat /home/boxd/ledger";

  test.each(["stopped", "failed", "suspended", "hibernated"] as const)(
    "a machine that is %s is brought up, and the command runs once",
    async (status) => {
      await using rig = commandRig();
      const machine = await rig.plane.seed({ name: "box-1" }, status);
      expect(await rig.driver.exec(machine.id, { command: ledger, stdin: "x" })).toMatchObject({
        exitCode: 0,
        stdout: "run\n",
      });
    },
  );

  test("a machine that is still booting is waited for", async () => {
    await using rig = commandRig({ steps: { boot: 4 } });
    const { id } = rig.plane.create({ name: "box-1" });
    expect(await rig.driver.exec(id, { command: ledger })).toMatchObject({ exitCode: 0, stdout: "run\n" });
  });

  test("a refusal that names a stopped machine is followed by a start and one more try", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    // It stops after its record was read: the record is stale, the refusal is not.
    rig.plane.faults.inject({ method: "machines.exec", hold: async () => machine.force("stopped") });
    expect(await rig.driver.exec(machine.id, { command: ledger })).toMatchObject({ exitCode: 0, stdout: "run\n" });
    expect(rig.plane.recorder.of("machines.start")).toHaveLength(1);
  });

  test.each([
    ["has ended", ""],
    ["was cut off by the stop", "; sleep 304"],
  ])(
    "such a refusal for a command that %s: the second try runs nothing, and the outcome is unknown",
    async (_title, rest) => {
      await using rig = commandRig();
      const machine = await rig.running();
      const stop = async (): Promise<void> => {
        if (rest === "") return;
        while (!machine.processes().some(({ argv }) => argv.includes("304")))
          await new Promise((resolve) => setTimeout(resolve, 10));
        await machine.force("stopped");
      };
      let stopped = Promise.resolve();
      const refuse = async (): Promise<never> => {
        await stopped;
        throw grpcError(9, "VM box-1 is stopped");
      };
      rig.plane.faults.inject({
        method: "machines.exec",
        when: "after",
        where: (args) => JSON.stringify(args).includes("mkfifo"),
        hold: refuse,
      });
      const running = rig.driver.exec(machine.id, {
        command: `echo run >>/home/boxd/ledger; sync${rest}`,
        stdin: "canary-1234",
      });
      stopped = stop();
      await expect(running).rejects.toMatchObject({
        kind: "transient",
        message: expect.stringContaining("is unknown, it is not running any more"),
      });
      expect(rig.plane.recorder.commands().filter((script) => script.includes("mkfifo"))).toHaveLength(2);
      expect(
        await rig.driver.exec(machine.id, { command: "cat ledger; grep -r canary-1234 .qm-deploy" }),
      ).toMatchObject({ stdout: "run\n", stderr: "" });
    },
  );

  test("the mark that a command has begun is removed by a later one, and not before its time", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const dir = join(machine.disk.home, ".qm-deploy");
    const marks = (): string[] => readdirSync(dir).filter((name) => name.endsWith(".begun"));
    await rig.driver.exec(machine.id, { command: "true" }, { timeoutMs: 20_000 });
    const [first] = marks();
    const { mtimeMs } = statSync(join(dir, String(first)));
    expect(mtimeMs).toBeGreaterThan(Date.now() + 15_000);
    await rig.driver.exec(machine.id, { command: "true" });
    expect(marks()).toHaveLength(2);
    const past = Date.now() / 1000 - 120;
    utimesSync(join(dir, String(first)), past, past);
    await rig.driver.exec(machine.id, { command: "true" });
    expect(marks()).toHaveLength(2);
    expect(marks()).not.toContain(first);
  });

  test("the guest ends a command by itself five seconds after its caller has stopped waiting for it, and not before", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    await rig.driver.exec(machine.id, { command: "true" }, { timeoutMs: 20_000 });
    const call = rig.plane.recorder.of("machines.exec").find(({ args }) => JSON.stringify(args).includes("mkfifo"));
    const { command, timeout } = (call?.args[1] ?? {}) as { command: string; timeout: number };
    const limits = [...command.matchAll(/timeout (\d+) \/bin\/sh/g)].map((match) => Number(match[1]) * 1000);
    expect(Math.max(...limits)).toBeGreaterThanOrEqual(timeout + 5_000);
    expect(Math.max(...limits)).toBeLessThanOrEqual(timeout + 6_000);
  });

  test("a second such refusal is an error", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    rig.plane.faults.inject(
      scenarios.refused("machines.exec", 9, "VM box-1 is stopped and can't be resumed automatically", {
        times: Infinity,
        where: ([, params]) => (params as { command: string }).command !== "true",
      }),
    );
    await expect(rig.driver.exec(machine.id, { command: ledger })).rejects.toMatchObject({
      kind: "conflict",
      conflict: "stopped",
    });
    expect(
      rig.plane.recorder
        .of("machines.exec")
        .filter(({ args }) => (args[1] as { command: string }).command.includes("ledger")),
    ).toHaveLength(2);
  });

  test.each([
    ["a stream without an exit status", scenarios.exitStatusLost()],
    ["an answer without an exit status", scenarios.exitStatusMissing()],
    ["a stream that ends well in the middle, which reads as a success", scenarios.streamCut()],
  ])("%s has the status that the machine knows, and the command is not run again", async (title, fault) => {
    await using rig = commandRig();
    const machine = await rig.running();
    rig.plane.faults.inject(fault);
    const isCut = title.includes("middle");
    const command = `echo run >>/home/boxd/ledger; printf 0123456789; printf é >&2; exit 7`;
    expect(await rig.driver.exec(machine.id, { command })).toEqual({
      ended: "exit",
      exitCode: 7,
      stdout: isCut ? "01234" : "0123456789",
      stderr: expect.stringMatching(isCut ? /^é/ : /^é$/),
      ...(isCut ? { isCut } : {}),
    });
    expect(await rig.driver.exec(machine.id, { command: "cat /home/boxd/ledger" })).toMatchObject({ stdout: "run\n" });
  });

  test("a stream that ends well while the command runs is a lost answer, and the command is ended", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    rig.plane.faults.inject(scenarios.streamCutEarly("half\n"));
    await expect(rig.driver.exec(machine.id, { command: "echo begun; sleep 300" })).rejects.toMatchObject({
      kind: "transient",
      message: expect.stringMatching(/outcome of the command is unknown, it is not running any more/),
    });
    await expect.poll(() => rig.plane.processes(), { timeout: 20_000 }).toEqual([]);
  });

  test("a command whose call breaks is ended, not left running", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    let broke = (): void => undefined;
    const broken = new Promise<void>((resolve) => (broke = resolve));
    const client = rig.plane.client();
    const exec = client.machines.exec.bind(client.machines);
    let first = true;
    const machines = Object.assign(Object.create(client.machines) as typeof client.machines, {
      exec: (id: string, params: { command: string; timeout?: number }) => {
        const result = exec(id, params);
        if (!first) return result;
        first = false;
        result.catch(() => undefined);
        return broken.then(() =>
          Promise.reject(Object.assign(new Error("unavailable"), { name: "APIConnectionError", grpcCode: 14 })),
        );
      },
    });
    const driver = new MachineDriver({
      client: Object.assign(Object.create(client) as typeof client, { machines }),
      clock: fastClock(1),
      times: { pollMs: 20, settleMs: 5_000 },
    });
    const running = driver.exec(machine.id, { command: "sleep 303" });
    while (!machine.processes().some(({ argv }) => argv.includes("303")))
      await new Promise((resolve) => setTimeout(resolve, 10));
    broke();
    await expect(running).rejects.toMatchObject({
      kind: "transient",
      message: expect.stringContaining("is not running any more"),
    });
    // The runner itself may still be winding up; the command is gone.
    expect(machine.processes().filter(({ argv }) => argv[0] === "sleep")).toEqual([]);
  });

  test.each([
    ["deadline", () => new BoxdError("request timed out after 60000ms")],
    ["abort", () => Object.assign(new Error("This operation was aborted"), { name: "AbortError" })],
  ])("an SDK %s of another call is no end of the command's own time", async (_title, error) => {
    await using rig = commandRig();
    const machine = await rig.running();
    rig.plane.faults.inject({ method: "machines.files.upload", error });
    expect(await rig.driver.exec(machine.id, { command: ledger, stdin: "x" })).toMatchObject({
      ended: "exit",
      exitCode: 0,
      stdout: "run\n",
    });
    rig.plane.faults.inject({ method: "machines.files.upload", error, times: Infinity });
    await expect(rig.driver.exec(machine.id, { command: ledger, stdin: "x" })).rejects.toMatchObject({
      kind: "transient",
    });
  });

  test("a machine that does not exist is not found", async () => {
    await using rig = commandRig();
    await expect(rig.driver.exec("3f2c0000-0000-4000-8000-000000000000", { command: "true" })).rejects.toMatchObject({
      kind: "not-found",
    });
  });

  test("an input that arrives short is sent again", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    rig.plane.faults.inject(scenarios.shortUpload());
    expect(await rig.driver.exec(id, { command: "cat", stdin: "all of it" })).toMatchObject({ stdout: "all of it" });
    expect(rig.plane.recorder.uploads()).toHaveLength(2);
  });
});
