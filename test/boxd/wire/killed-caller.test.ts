import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { FakePlane, ManualClock, TEST_KEY, type PlaneOptions } from "../../support/boxd-fake/index.ts";
import { WirePlane } from "../../support/boxd-wire/server.ts";
import { needsProcesses, skipWithoutProcesses } from "../driver/rig.ts";

const SECOND = 1000;

describe.skipIf(skipWithoutProcesses)(`a caller that is killed, over the wire${needsProcesses}`, () => {
  let dir: string;
  let program: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "killed-caller-"));
    program = join(dir, "caller.mjs");
    const input = join(import.meta.dirname, "killed-caller-process.ts");
    const output = { file: program, format: "esm", codeSplitting: false } as const;
    await build({ input, platform: "node", logLevel: "warn", output });
  }, 60_000);
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test.each<[string, NonNullable<PlaneOptions["quirks"]>, object]>([
    ["an idle timer", { autoDestroy: "idle" }, { vcpu: 1 }],
    ["a wall timer", { autoDestroy: "wall" }, {}],
    ["a machine from a snapshot", {}, { fromSnapshot: "ready-made" }],
  ])(
    "between create and the delete timer leaves a machine that boxd ends by itself: %s",
    async (_title, quirks, spec) => {
      const time = new ManualClock();
      await using plane = new FakePlane({ clock: time, quirks });
      plane.snapshots.set("ready-made", { status: "ready", vcpu: 2 });
      plane.faults.inject({ method: "machines.setDeleteAfter", stall: true });
      const wire = await WirePlane.open(plane);
      const asked = JSON.stringify({ ...spec, expiry: { afterSeconds: 900, final: true } });
      const child = spawn(process.execPath, [program, wire.address, TEST_KEY, asked], { stdio: "inherit" });
      const ended = new Promise((resolve) => child.on("exit", (_code, signal) => resolve(signal)));
      try {
        await vi.waitFor(() => expect(plane.recorder.of("machines.setDeleteAfter")).toHaveLength(1), 20_000);
        child.kill("SIGKILL");
        expect(await ended).toBe("SIGKILL");
        await time.advance(959 * SECOND);
        expect(plane.survivors()).toHaveLength(1);
        await time.advance(2 * SECOND);
        expect(plane.survivors()).toEqual([]);
      } finally {
        child.kill("SIGKILL");
        await wire.close();
      }
    },
    40_000,
  );
});
