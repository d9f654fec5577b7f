import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FakePlane, scenarios } from "../../support/boxd-fake/index.ts";
import { Progress } from "../../support/boxd-fake/progress.ts";

describe("what versions of boxd differ in", () => {
  test("labels are kept, dropped in silence, or refused; a machine without any is never refused", async () => {
    const labels = { "managed-by": "qm-deploy" };
    const outcomes: unknown[] = [];
    for (const quirk of ["kept", "dropped", "refused"] as const) {
      await using plane = new FakePlane({ quirks: { labels: quirk } });
      const { machines } = plane.client();
      outcomes.push(
        await machines.create({ name: "m", labels }).then(
          (made) => made.labels ?? null,
          (error: { grpcCode: number }) => error.grpcCode,
        ),
      );
      await machines.create({ name: "n", labels: {} });
    }
    expect(outcomes).toEqual([labels, null, 3]);
  });

  test("records are full or bare", async () => {
    await using plane = new FakePlane();
    await plane.seed({ name: "m", isolated: true });
    const { machines } = plane.client();
    expect((await machines.list())[0]).toMatchObject({
      org: { name: "acme" },
      networking: { isolated: true },
      idle: { suspendAfter: 0, hibernateAfter: 14_400 },
      deleteAt: null,
    });
    plane.quirks.records = "bare";
    expect(Object.keys((await machines.list())[0] ?? {})).toEqual(["id", "name", "status"]);
  });

  test("the address is https, http or unknown", async () => {
    await using plane = new FakePlane();
    const { id } = await plane.seed({ name: "m" });
    const urls: (string | undefined)[] = [];
    for (const url of ["https", "http", "empty"] as const) {
      plane.quirks.url = url;
      urls.push((await plane.client().machines.get(id)).access?.url);
    }
    expect(urls).toEqual(["https://m.machines.boxd.test", "http://m.machines.boxd.test", ""]);
  });

  test("with the quirk a name stands for the machine that has it now", async () => {
    await using plane = new FakePlane({ quirks: { namesResolve: true }, steps: { destroy: 0, tombstone: 0 } });
    const old = await plane.seed({ name: "m" });
    await plane.client().machines.delete("m");
    const { id } = await plane.seed({ name: "m" });
    expect(id).not.toBe(old.id);
    expect((await plane.client().machines.get("m")).id).toBe(id);
  });
});

test("a listing can flap after a delete, and show a row of somebody else", async () => {
  await using plane = new FakePlane();
  const { id } = await plane.seed({ name: "m" });
  const { machines } = plane.client();
  const [before] = await machines.list();
  if (before === undefined) throw new Error("no row");
  await machines.delete(id);
  plane.faults.inject(scenarios.listHides((row) => row.id === id, { nth: 1 }));
  plane.faults.inject(scenarios.listShows([before, { id: "other", name: "theirs", status: "running" }], { nth: 2 }));
  const seen: string[][] = [];
  for (let read = 0; read < 4; read += 1) seen.push((await machines.list()).map((row) => `${row.name} ${row.status}`));
  expect(seen).toEqual([[], ["m destroyed", "m running", "theirs running"], [], []]);
});

test("a state on the way is shown for exactly its reads, each state is entered once, and the last stays", () => {
  const phase = fc.tuple(fc.string(), fc.integer({ min: 0, max: 4 }));
  fc.assert(
    fc.property(fc.array(phase, { maxLength: 5 }), fc.integer({ min: 0, max: 5 }), (phases, extra) => {
      const entered: string[] = [];
      const progress = new Progress("before", (state) => {
        entered.push(state);
      });
      progress.go(...phases, "last");
      const shown = phases.flatMap(([state, reads]) => Array<string>(reads).fill(state));
      for (const expected of [...shown, ...Array<string>(extra + 1).fill("last")]) {
        progress.observe();
        expect(progress.state).toBe(expected);
      }
      expect(entered).toEqual([...phases.map(([state]) => state), "last"]);
    }),
  );
});
