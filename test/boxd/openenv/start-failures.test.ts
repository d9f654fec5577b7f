/** Starts that fail late: what is tidied up, and what must not have run by then. */
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scenarios } from "../../support/boxd-fake/index.ts";
import { cannotRun, needs, Rig, thrown } from "./rig.ts";

const SECRET = "canary-value-0123456789";

describe.skipIf(cannotRun)(`starts that fail${needs}`, () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });
  afterEach(async () => {
    await rig[Symbol.asyncDispose]();
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("O07 the file is removed also when docker used up the start's whole time", async () => {
    // Its clock runs twenty times too fast while the plane works, which takes long on a busy computer.
    const times = { callMs: 300_000, cleanupMs: 900_000, settleMs: 60_000 };
    const options = { clock: rig.jumpClock(), times, startTimeoutMs: 900_000 };
    const provider = rig.provider({ ...options, envVars: { TOKEN: SECRET } });
    const inHome = (): string[] =>
      readdirSync(rig.machine().disk.home).filter((name) => name.startsWith("openenv-env-"));
    const seen: string[][] = [];
    rig.plane.faults.inject({
      method: "machines.exec",
      stall: true,
      where: ([, params]) => {
        if (!/docker.{1,12}run/.test((params as { command: string }).command)) return false;
        seen.push(inHome());
        return true;
      },
    });
    rig.plane.faults.inject({
      method: "machines.delete",
      hold: async () => {
        seen.push(inHome());
      },
    });
    expect(await thrown(provider.startContainer())).toMatchObject({ code: "START_FAILED" });
    expect(seen).toEqual([[expect.any(String)], []]);
  });

  test("O09 a machine whose creation was never answered, and that no listing showed meanwhile, is found by its name when the provider is stopped", async () => {
    const provider = rig.provider({ clock: rig.jumpClock(), times: { cleanupMs: 5_000 } });
    rig.plane.faults.inject(scenarios.stalled("machines.create", "after"));
    const hidden = rig.plane.faults.inject(scenarios.refused("machines.list", 14, "unavailable", { times: Infinity }));
    expect(await thrown(provider.startContainer())).toMatchObject({ code: "CLEANUP_FAILED" });
    hidden();
    expect(rig.plane.survivors()).toHaveLength(1);
    await provider.stopContainer();
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("O08 an egress list that boxd refuses: nothing ran, nothing is left", async () => {
    expect(await thrown(rig.provider({ egressAllow: ["localhost"] }).startContainer())).toMatchObject({
      code: "START_FAILED",
    });
    const commands = rig.plane.recorder.of("machines.exec").map(({ args }) => (args[1] as { command: string }).command);
    expect([
      commands.some((each) => /docker.{1,12}pull/.test(each)),
      commands.some((each) => /docker.{1,12}run/.test(each)),
    ]).toEqual([true, false]);
    expect(rig.plane.survivors()).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["the open list", []],
    ["one entry more", ["none", "example.com"]],
    ["another", ["example.com"]],
    ["no list", undefined],
  ])(
    "O08 an egress list that boxd answers with %s: no container is started, and nothing is left",
    async (_name, answer) => {
      rig.plane.faults.inject({ method: "machines.setEgressAllow", skip: () => answer });
      const error = await thrown(rig.provider({ egressAllow: ["none"] }).startContainer());
      expect(error).toMatchObject({
        code: "START_FAILED",
        message: expect.stringContaining("another list than was asked for"),
      });
      expect(rig.ledger().filter((line) => line.startsWith("run "))).toEqual([]);
      expect(rig.plane.survivors()).toEqual([]);
    },
  );

  test("O08 an egress list that comes back in another order, case and form is the one that was asked for", async () => {
    rig.plane.faults.inject({
      method: "machines.setEgressAllow",
      skip: () => ["fd00::1/128", "10.0.0.0/8", "192.0.2.1/32", "example.com"],
    });
    await rig.provider({ egressAllow: ["Example.com", "192.0.2.1", "fd00::1", "10.0.0.0/8"] }).startContainer();
    expect(rig.plane.faults.unused()).toEqual([]);
  });
});
