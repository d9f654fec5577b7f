import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MachineDriver } from "../../../src/boxd/driver/index.ts";
import { FakePlane, TEST_KEY } from "../../support/boxd-fake/index.ts";
import { Boxd } from "../../support/boxd-wire/sdk/index.ts";
import { WirePlane } from "../../support/boxd-wire/server.ts";
import { needsProcesses, skipWithoutProcesses } from "../driver/rig.ts";

test.skipIf(skipWithoutProcesses)(
  `P37 over the wire too, output comes while the command runs, and an abort leaves nothing of it${needsProcesses}`,
  async () => {
    await using plane = new FakePlane();
    const machine = await plane.seed({ name: "box-1" });
    const wire = await WirePlane.open(plane);
    const client = new Boxd({ baseURL: wire.address, apiKey: TEST_KEY, maxRetries: 0 });
    try {
      const driver = new MachineDriver({ client, times: { settleMs: 20_000 } });
      const pieces: string[] = [];
      const command = "printf 'a\\303'; while [ ! -e go ]; do sleep 0.02; done; printf '\\274'; cat; exit 3";
      const onOutput = (stream: string, text: string): void => {
        pieces.push(`${stream}: ${text}`);
        writeFileSync(join(machine.disk.home, "go"), "");
      };
      expect(await driver.exec(machine.id, { command, stdin: "b".repeat(100_000), onOutput })).toMatchObject({
        exitCode: 3,
        stdout: `aü${"b".repeat(100_000)}`,
      });
      expect(pieces[0]).toBe("stdout: a");
      expect(pieces.join("").replaceAll("stdout: ", "")).toBe(`aü${"b".repeat(100_000)}`);

      const controller = new AbortController();
      const endless = { command: "echo one; sleep 308", onOutput: () => controller.abort() };
      expect(await driver.exec(machine.id, endless, { signal: controller.signal })).toEqual({
        ended: "abort",
        exitCode: null,
        stdout: "one\n",
        stderr: "",
        groupGone: true,
      });
      expect(machine.processes().filter(({ argv }) => argv[0] === "sleep")).toEqual([]);
    } finally {
      await client.close();
      await wire.close();
    }
  },
  40_000,
);
