import { scopeName } from "../driver/index.ts";
import { textOf, type MachinesByName } from "./machines-by-name.ts";
import { PROBE_MS, READY_MS } from "./timeouts.ts";
import type { Sandbox } from "./sandbox.ts";

/** `computerStatus` and `restartComputer`, by scope. */
export function computerMethods(
  computers: MachinesByName,
  prefix: string,
): Required<Pick<Sandbox, "computerStatus" | "restartComputer">> {
  return {
    async computerStatus(scopeId) {
      const name = scopeName(prefix, scopeId);
      const absent = { machine: "absent", guestResponsive: false };
      try {
        if ((await computers.find(name)) === undefined) return absent;
        return await computers.on(name, "status", async (driver, id) => {
          const inspection = await driver.inspect(id, { timeoutMs: PROBE_MS });
          if (inspection.state === "absent") {
            computers.forget(name);
            return absent;
          }
          const guestResponsive = inspection.state === "running" && (await driver.answers(id, { timeoutMs: PROBE_MS }));
          return { machine: inspection.machine.status, guestResponsive };
        });
      } catch (error) {
        return { machine: `check failed: ${textOf(error)}`, guestResponsive: false };
      }
    },
    async restartComputer(scopeId) {
      await computers.on(scopeName(prefix, scopeId), "reboot", (driver, id) =>
        driver.reboot(id, { timeoutMs: READY_MS }),
      );
    },
  };
}
