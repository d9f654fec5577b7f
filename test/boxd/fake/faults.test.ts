import { describe, expect, test } from "vitest";
import { FakePlane, fastClock, ManualClock, scenarios } from "../../support/boxd-fake/index.ts";
import { failure, withMachine } from "./harness.ts";

describe("faults", () => {
  test("before: nothing happens; after: it happens and the answer is lost", async () => {
    await using plane = new FakePlane();
    const { machines } = plane.client();
    plane.faults.inject(scenarios.refused("machines.create", 14));
    expect(await failure(machines.create({ name: "a" }))).toMatchObject({ name: "APIConnectionError" });
    expect(plane.survivors()).toEqual([]);
    plane.faults.inject(scenarios.answerLost("machines.create", 4));
    expect(await failure(machines.create({ name: "a" }))).toMatchObject({ name: "APIStatusError", grpcCode: 4 });
    expect(plane.survivors().map((machine) => machine.name)).toEqual(["a"]);
  });

  test("strikes the nth call, as often as told, where told", async () => {
    await withMachine({}, async ({ sh, plane }) => {
      plane.faults.inject(
        scenarios.refused("machines.exec", 13, "no", {
          nth: 2,
          times: 2,
          where: (args) => JSON.stringify(args).includes("hit"),
        }),
      );
      const outcomes: boolean[] = [];
      for (const command of ["echo hit", "echo miss", "echo hit", "echo hit", "echo hit"])
        outcomes.push(
          await sh(command).then(
            () => true,
            () => false,
          ),
        );
      expect(outcomes).toEqual([true, true, false, false, true]);
      expect(plane.faults.unused()).toEqual([]);
    });
  });

  test("a stalled call ends with the client, and has its effect only when told to", async () => {
    await using plane = new FakePlane();
    const client = plane.client();
    plane.faults.inject(scenarios.stalled("machines.create", "after"));
    const call = failure(client.machines.create({ name: "a" }));
    while (plane.survivors().length === 0)
      await new Promise((resolve) => {
        setTimeout(resolve, 1);
      });
    expect(plane.recorder.of("machines.create")[0]?.outcome).toBe("pending");
    await client.close();
    expect(await call).toMatchObject({ name: "APIConnectionError" });
  });

  test("a lost exec answer leaves its effect, and a stalled one meets the client's deadline", async () => {
    await withMachine({}, async ({ sh, plane }) => {
      plane.faults.inject(scenarios.answerLost("machines.exec", 14));
      await failure(sh("echo x >> ledger"));
      plane.faults.inject(scenarios.stalled("machines.exec", "after"));
      expect(await failure(sh("echo x >> ledger", 200))).toMatchObject({ message: "exec timed out after 200ms" });
      expect((await sh("cat ledger")).stdout).toBe("x\nx\n");
    });
  });

  test("answers can be changed: stale listings, lost statuses, short files", async () => {
    await withMachine({}, async ({ client, id, sh, plane }) => {
      plane.faults.inject(scenarios.listHides((row) => row.name === "m1"));
      expect(await client.machines.list()).toEqual([]);
      expect(await client.machines.list()).toHaveLength(1);
      plane.faults.inject(scenarios.exitStatusLost());
      expect((await sh("true")).exitCode).toBe(-1);
      plane.faults.inject(scenarios.outputCut(1));
      expect((await sh("printf é")).stdout).toBe("\ufffd");
      plane.faults.inject(scenarios.shortUpload());
      expect(await client.machines.files.upload(id, "/home/boxd/f", new Uint8Array(9))).toBe(8);
      plane.faults.inject(scenarios.shortDownload());
      expect(await client.machines.files.download(id, "/home/boxd/f")).toHaveLength(8);
      plane.faults.inject(scenarios.getDenies());
      expect(await failure(client.machines.get(id))).toMatchObject({ name: "NotFoundError" });
      plane.faults.inject(scenarios.deleteIgnored());
      await client.machines.delete(id);
      expect(plane.survivors()).toHaveLength(1);
    });
  });

  test("a hold keeps a call waiting until it is let go", async () => {
    await using plane = new FakePlane();
    let go = (): void => undefined;
    plane.faults.inject({
      method: "machines.list",
      hold: () =>
        new Promise<void>((resolve) => {
          go = resolve;
        }),
    });
    const call = plane.client().machines.list();
    while (plane.faults.unused().length > 0)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    expect(plane.recorder.calls[0]?.outcome).toBe("pending");
    go();
    expect(await call).toEqual([]);
  });

  test("a fault that says nothing, or two things, is no fault", async () => {
    await using plane = new FakePlane();
    const { faults } = plane;
    expect(() => faults.inject({ method: "*" })).toThrow(TypeError);
    expect(() => faults.inject({ method: "*", stall: true, error: () => new Error("x") })).toThrow(TypeError);
  });
});

test("the recorder keeps a copy of every argument and finds secrets in any of their usual forms", async () => {
  await withMachine({}, async ({ client, id, sh, plane }) => {
    const data = new TextEncoder().encode("hunter2/hunter2");
    await client.machines.files.upload(id, "/home/boxd/f", data);
    data.fill(0);
    expect(plane.recorder.leaksOf("hunter2/hunter2")).toEqual([]);
    expect(new TextDecoder().decode(plane.recorder.uploads()[0]?.data)).toBe("hunter2/hunter2");
    await sh("echo aHVudGVyMi9odW50ZXIy");
    await sh("echo hunter2%2Fhunter2");
    expect(plane.recorder.leaksOf("hunter2/hunter2")).toEqual(["machines.exec", "machines.exec"]);
    expect(plane.recorder.methods()).toEqual(["machines.files.upload", "machines.exec", "machines.exec"]);
  });
});

describe("clocks", () => {
  test("a manual clock wakes sleepers in order of their time", async () => {
    const clock = new ManualClock(1000);
    const woken: string[] = [];
    void clock.sleep(20).then(() => woken.push("b"));
    void clock
      .sleep(10)
      .then(() => clock.sleep(5))
      .then(() => woken.push("a"));
    await clock.advance(19);
    expect(woken).toEqual(["a"]);
    await clock.advance(1);
    expect(woken).toEqual(["a", "b"]);
    expect([clock.now(), clock.wallNow(), clock.waiting]).toEqual([20, 1020, 0]);
  });

  test("an aborted sleeper wakes at once, on either clock", async () => {
    for (const clock of [new ManualClock(), fastClock(1)]) {
      const abort = new AbortController();
      const sleeping = clock.sleep(3_600_000, abort.signal);
      abort.abort();
      await sleeping;
    }
  });
});
