/** The caller is a process of its own and is killed at each of its calls, before and after the call has its effect; machines and plane live on. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakePlane, ManualClock } from "../../support/boxd-fake/index.ts";
import { NEWEST } from "../../support/boxd-wire/newest.ts";
import { WirePlane } from "../../support/boxd-wire/server.ts";
import { IS_DEEP } from "../../support/runs.ts";
import { needsProcesses, skipWithoutProcesses } from "../driver/rig.ts";

const SECOND = 1_000;

describe.skipIf(skipWithoutProcesses)(`a caller that is killed${needsProcesses}`, () => {
  let dir: string;
  let program: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "boxd-killed-"));
    program = join(dir, "program.mjs");
    await build({
      input: join(import.meta.dirname, "killed-program.ts"),
      platform: "node",
      logLevel: "warn",
      output: { file: program, format: "esm", codeSplitting: false },
    });
  });
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  /** Runs the program, which a call may end; answers what it said. */
  const run = async (wire: WirePlane, operation: string, argument = "", kill?: Kill): Promise<string> => {
    const child = spawn(process.execPath, [program, wire.address, operation, argument], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    kill?.(child);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const [code, signal] = (await once(child, "close")) as [number | null, string | null];
    if (kill === undefined) expect([code, signal], `${operation} ${argument}`).toEqual([0, null]);
    return said.trim();
  };
  type Kill = (child: ChildProcess) => void;

  /** Goes through the calls of an operation, each the one at which its caller dies, until a run is over before; in `npm test` it dies at the first. */
  const atEachCall = async (
    operation: string,
    begin: (plane: FakePlane) => Promise<string>,
    then: (at: {
      plane: FakePlane;
      clock: ManualClock;
      wire: WirePlane;
      said: string;
      argument: string;
    }) => Promise<void>,
  ): Promise<void> => {
    for (const when of IS_DEEP ? (["before", "after"] as const) : (["after"] as const)) {
      for (let nth = 1, wasKilled = true; wasKilled && (IS_DEEP || nth === 1); nth += 1) {
        const clock = new ManualClock();
        await using plane = new FakePlane({ clock, quirks: NEWEST, steps: { destroy: 0, tombstone: 0 } });
        await using wire = await WirePlane.open(plane);
        const argument = await begin(plane);
        const said = await run(wire, operation, argument, (child) => {
          const hold = async (): Promise<void> => {
            child.kill("SIGKILL");
            await once(child, "close");
          };
          plane.faults.inject({ method: "*", when, nth, hold });
        });
        wasKilled = plane.faults.unused().length === 0;
        expect(wasKilled || nth > 1, "killed at least once").toBe(true);
        plane.faults.clear();
        await then({ plane, clock, wire, said, argument });
      }
    }
  };

  test.concurrent(
    "while it makes a machine of its own: the machine dies by itself, or goes by the name that was told before",
    async () => {
      await atEachCall(
        "create",
        async () => "",
        async ({ plane, clock, wire, said }) => {
          expect(plane.allMachines().length).toBeLessThanOrEqual(1);
          expect(plane.allMachines().every(({ name }) => name === said)).toBe(true);
          const made = plane.survivors().length;
          await clock.advance(1_000 * SECOND);
          expect(plane.survivors(), "by itself").toEqual([]);
          if (made > 0) await plane.seed({ name: said });
          await run(wire, "deleteNamed", said);
          expect(plane.survivors()).toEqual([]);
        },
      );
    },
    300_000,
  );

  test.concurrent(
    "while it makes the machine of a name: the next one goes on with it, and there is never a second",
    async () => {
      await atEachCall(
        "keep",
        async () => "",
        async ({ plane, wire }) => {
          await run(wire, "keep");
          expect(plane.allMachines().map(({ name, status }) => [name, status])).toEqual([["qm-a", "running"]]);
          await run(wire, "delete", plane.machine("qm-a").id);
          expect(plane.survivors()).toEqual([]);
        },
      );
    },
    300_000,
  );

  test.concurrent(
    "while it runs a command: that has run once or never, and the next command works",
    async () => {
      await atEachCall(
        "exec",
        async (plane) => (await plane.seed({ name: "box" })).id,
        async ({ plane, wire, argument }) => {
          await run(wire, "exec", argument);
          const lines = await plane.client().machines.exec(argument, { command: "cat run-0" });
          expect(["x\n", "x\nx\n"]).toContain(lines.stdout);
        },
      );
    },
    300_000,
  );

  test.concurrent(
    "while it deletes: whoever asks again is told the truth",
    async () => {
      await atEachCall(
        "delete",
        async (plane) => (await plane.seed({ name: "box" })).id,
        async ({ plane, wire, argument }) => {
          await run(wire, "delete", argument);
          expect(plane.survivors()).toEqual([]);
        },
      );
    },
    300_000,
  );
});
