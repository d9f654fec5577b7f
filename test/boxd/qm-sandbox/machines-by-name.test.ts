import { expect, test } from "vitest";
import type { MachineDriver } from "../../../src/boxd/driver/index.ts";
import { MachinesByName } from "../../../src/boxd/qm-sandbox/machines-by-name.ts";

test("the driver is opened once, together, and again after an attempt that failed", async () => {
  let attempts = 0;
  const computers = new MachinesByName(
    () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error("no network")) : Promise.resolve({} as MachineDriver);
    },
    () => undefined,
  );
  const first = await Promise.allSettled([computers.driver(), computers.driver()]);
  expect(first.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
  expect(await computers.driver()).toBe(await computers.driver());
  expect(attempts).toBe(2);
});
