import { describe, expect, test } from "vitest";
import type { Machines } from "../../../src/boxd/driver/client.ts";
import { FakePlane, ManualClock, processesSupported, type Status } from "../../support/boxd-fake/index.ts";
import { failure, needsProc, until, withMachine } from "./harness.ts";

type Verb = "start" | "stop" | "reboot" | "pause" | "resume" | "hibernate" | "wake" | "delete";

/** From which states each call is taken; from every other one that is there it is a conflict, and a deleted machine is not found. */
const TAKEN: Record<Verb, Status[]> = {
  start: ["stopped", "failed"],
  stop: ["running"],
  reboot: ["running", "failed"],
  pause: ["running"],
  resume: ["suspended"],
  hibernate: ["running"],
  wake: ["hibernated"],
  delete: ["pending", "starting", "running", "suspended", "hibernated", "stopping", "stopped", "failed"],
};
const STATES = [
  "pending",
  "starting",
  "running",
  "suspended",
  "hibernated",
  "stopping",
  "stopped",
  "failed",
  "destroyed",
] as const;

describe("every call from every state", () => {
  const table = (Object.keys(TAKEN) as Verb[]).flatMap((verb) => STATES.map((state) => [verb, state] as const));
  test.each(table)("%s from %s", async (verb, state) => {
    await using plane = new FakePlane();
    const { id } = await plane.seed({ name: "m" }, state);
    const call = (plane.client().machines as Machines)[verb](id);
    if (TAKEN[verb].includes(state)) await call;
    else if (state === "destroyed") expect(await failure(call)).toMatchObject({ name: "NotFoundError", grpcCode: 5 });
    else expect(await failure(call)).toMatchObject({ name: "ConflictError", grpcCode: 9 });
  });
});

describe("the agent (exec and files) by state", () => {
  test.each<[(typeof STATES)[number], string | null]>([
    ["pending", "APIConnectionError"],
    ["starting", "APIConnectionError"],
    ["stopping", "APIConnectionError"],
    ["running", null],
    ["suspended", "ConflictError"],
    ["hibernated", "ConflictError"],
    ["stopped", "ConflictError"],
    ["failed", "ConflictError"],
    ["destroyed", "NotFoundError"],
  ])("%s: %s", async (state, expected) => {
    await using plane = new FakePlane();
    const { id } = await plane.seed({ name: "m" }, state);
    const { machines } = plane.client();
    const calls = [
      machines.exec(id, { command: "true" }),
      machines.files.upload(id, "/home/boxd/f", new Uint8Array(1)),
      machines.files.download(id, "/home/boxd/f"),
    ];
    const outcomes = await Promise.all(
      calls.map((call) =>
        call.then(
          () => null,
          (error: Error) => error.name,
        ),
      ),
    );
    expect(outcomes).toEqual([expected, expected, expected]);
  });

  test("only the refusal of a stopped machine says so", async () => {
    await using plane = new FakePlane();
    const { machines } = plane.client();
    const messages = await Promise.all(
      (["stopped", "suspended"] as const).map(async (state) => {
        const { id } = await plane.seed({ name: `m-${state}` }, state);
        return (await failure(machines.exec(id, { command: "true" }))).message;
      }),
    );
    expect(messages.map((message) => message.includes("stopped"))).toEqual([true, false]);
  });

  test.each(["suspended", "hibernated"] as const)("with the quirk a %s machine wakes by itself", async (state) => {
    await using plane = new FakePlane({ quirks: { parkedWakes: true } });
    const { id } = await plane.seed({ name: "m" }, state);
    expect((await plane.client().machines.exec(id, { command: "echo up" })).stdout).toBe("up\n");
  });
});

describe("what a reader sees", () => {
  async function seen(plane: FakePlane, id: string, reads: number): Promise<string[]> {
    const statuses: string[] = [];
    for (let read = 0; read < reads; read++) {
      statuses.push(
        await plane
          .client()
          .machines.get(id)
          .then(
            (machine) => machine.status,
            (error: Error) => error.name,
          ),
      );
    }
    return statuses;
  }

  test("a new machine, a stop, a start, a delete", async () => {
    await using plane = new FakePlane();
    const { machines } = plane.client();
    const { id, status } = await machines.create({ name: "m" });
    expect(status).toBe("pending");
    expect(await seen(plane, id, 3)).toEqual(["pending", "starting", "running"]);
    await machines.stop(id);
    expect(await seen(plane, id, 2)).toEqual(["stopping", "stopped"]);
    plane.bootEnds.push("failed");
    await machines.start(id);
    expect(await seen(plane, id, 3)).toEqual(["starting", "starting", "failed"]);
    await machines.delete(id);
    expect(await seen(plane, id, 3)).toEqual(["destroying", "destroyed", "NotFoundError"]);
    expect(plane.survivors()).toEqual([]);
  });

  test("hibernation passes through suspended, waking through starting", async () => {
    await using plane = new FakePlane();
    const { id } = await plane.seed({ name: "m" });
    await plane.client().machines.hibernate(id);
    expect(await seen(plane, id, 2)).toEqual(["suspended", "hibernated"]);
    await plane.client().machines.wake(id);
    expect(await seen(plane, id, 2)).toEqual(["starting", "running"]);
  });

  test("a delete that lingers for ever keeps its row and its name", async () => {
    await using plane = new FakePlane({ steps: { destroy: Infinity } });
    const { id } = await plane.seed({ name: "m" });
    await plane.client().machines.delete(id);
    expect(await seen(plane, id, 5)).toEqual(Array<string>(5).fill("destroying"));
    expect(await failure(plane.client().machines.create({ name: "m" }))).toMatchObject({ name: "ConflictError" });
  });

  test("listings show tombstones, then nothing; ids resolve and names do not", async () => {
    await using plane = new FakePlane();
    const { id } = await plane.seed({ name: "m" });
    const { machines } = plane.client();
    expect(await failure(machines.get("m"))).toMatchObject({ name: "NotFoundError" });
    await machines.delete(id);
    const rows: string[][] = [];
    for (let read = 0; read < 3; read++) rows.push((await machines.list({ org: "acme" })).map((row) => row.status));
    expect(rows).toEqual([["destroying"], ["destroyed"], []]);
  });

  test("two concurrent deletes: one is taken, one finds nothing", async () => {
    await using plane = new FakePlane();
    const { id } = await plane.seed({ name: "m" });
    const { machines } = plane.client();
    const outcomes = await Promise.allSettled([machines.delete(id), machines.delete(id)]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("timers", () => {
  test("the delete timer is absolute and fires in any state", async () => {
    const clock = new ManualClock();
    await using plane = new FakePlane({ clock, steps: { destroy: 0, tombstone: 0 } });
    const { id } = await plane.seed({ name: "m" }, "stopped");
    const { machines } = plane.client();
    await machines.setDeleteAfter(id, 60);
    expect((await machines.get(id)).deleteAt?.getTime()).toBe(clock.wallNow() + 60_000);
    await clock.advance(59_999);
    expect((await machines.get(id)).status).toBe("stopped");
    await clock.advance(1);
    expect(plane.survivors()).toEqual([]);
  });

  test("a delete timer of 0 seconds takes the timer away", async () => {
    const clock = new ManualClock();
    await using plane = new FakePlane({ clock });
    const { id } = await plane.seed({ name: "m" });
    const { machines } = plane.client();
    await machines.setDeleteAfter(id, 60);
    expect(await machines.setDeleteAfter(id, 0)).toBeNull();
    await clock.advance(61_000);
    expect(await machines.get(id)).toMatchObject({ status: "running", deleteAt: null });
  });

  test("idle timers do not see commands, but see traffic", async () => {
    const clock = new ManualClock();
    await using plane = new FakePlane({ clock });
    const machine = await plane.seed({ name: "m" });
    const { machines } = plane.client();
    await machines.setAutoSuspendTimeout(machine.id, 30);
    await clock.advance(20_000);
    machine.inbound();
    await clock.advance(20_000);
    expect(machine.status).toBe("running");
    await machines.exec(machine.id, { command: "true" });
    await clock.advance(10_000);
    expect(machine.status).toBe("suspended");
    machine.inbound();
    expect(machine.status).toBe("running");
    await clock.advance(30_000);
    expect(machine.status).toBe("suspended");
    await clock.advance(30_000);
    await machines.resume(machine.id);
    await clock.advance(29_999);
    expect(machine.status).toBe("running");
    await clock.advance(1);
    expect(machine.status).toBe("suspended");
  });

  test("auto-hibernate is on at four hours unless it is turned off", async () => {
    const clock = new ManualClock();
    await using plane = new FakePlane({ clock });
    const idle = await plane.seed({ name: "idle" });
    const kept = await plane.seed({ name: "kept" });
    await plane.client().machines.setAutoHibernateTimeout(kept.id, 0);
    await clock.advance(14_400_000);
    expect([idle.status, kept.status]).toEqual(["hibernated", "running"]);
  });
});

describe.skipIf(!processesSupported)(`processes and disk${needsProc}`, () => {
  const ticker =
    "setsid sh -c 'i=0; while :; do i=$((i+1)); echo $i > \"$HOME/tick\"; sleep 0.02; done' >/dev/null 2>&1 </dev/null & until [ -s tick ]; do sleep 0.01; done";

  test("suspend freezes processes, resume lets them go on", async () => {
    await withMachine({}, async ({ client, id, sh, machine }) => {
      await sh(ticker);
      await client.machines.pause(id);
      expect(machine.processes().length).toBeGreaterThan(0);
      // One that is writing to the disk stops only once it has written.
      await until(() => machine.processes().every((found) => found.state === "T"));
      await client.machines.resume(id);
      const before = (await sh("cat tick")).stdout;
      expect((await sh(`until [ "$(cat tick)" != '${before.trim()}' ]; do sleep 0.02; done; echo moved`)).stdout).toBe(
        "moved\n",
      );
    });
  });

  test("stop kills every process, also those that left their group and their environment", async () => {
    await withMachine({}, async ({ client, id, sh, machine, plane }) => {
      await sh("setsid sleep 300 >/dev/null 2>&1 </dev/null & env -i sleep 301 >/dev/null 2>&1 </dev/null &");
      await until(() => machine.processes().filter((found) => found.argv[0] === "sleep").length === 2);
      await client.machines.stop(id);
      expect(plane.processes()).toEqual([]);
    });
  });

  test("a command in flight ends without a status when the power goes", async () => {
    await withMachine({}, async ({ client, id, sh }) => {
      const running = sh("echo begun; touch mark; sleep 300");
      await until(async () => (await sh("[ -e mark ]")).exitCode === 0);
      await client.machines.stop(id);
      expect(await running).toMatchObject({ exitCode: -1, stdout: "begun\n" });
    });
  });

  test("stop loses what was not synced; a reboot does not; both empty /tmp and change the boot id", async () => {
    await withMachine({ steps: { boot: 0, stop: 0 } }, async ({ client, id, sh }) => {
      await sh("echo kept > a; sleep 0.05; sync; sleep 0.05; echo lost > b; echo t > /tmp/t");
      const bootId = (await sh("cat /proc/sys/kernel/random/boot_id")).stdout;
      await client.machines.stop(id);
      await client.machines.start(id);
      expect((await sh("cat a; wc -c < b; ls /tmp")).stdout).toBe("kept\n0\n");
      const next = (await sh("cat /proc/sys/kernel/random/boot_id")).stdout;
      expect(next).not.toBe(bootId);
      await sh("echo again > b");
      await client.machines.reboot(id);
      expect((await sh("cat b")).stdout).toBe("again\n");
      expect((await sh("cat /proc/sys/kernel/random/boot_id")).stdout).not.toBe(next);
    });
  });

  test("dispose leaves no process and no directory", async () => {
    const plane = new FakePlane();
    const machine = await plane.seed({ name: "m" });
    await plane.client().machines.exec(machine.id, { command: "setsid sleep 300 >/dev/null 2>&1 </dev/null &" });
    await plane.dispose();
    expect(plane.processes()).toEqual([]);
    const { existsSync } = await import("node:fs");
    expect(existsSync(machine.disk.root)).toBe(false);
  });
});
