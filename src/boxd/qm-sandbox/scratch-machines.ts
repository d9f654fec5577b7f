import type { MachineSpec } from "../driver/index.ts";
import type { MachinesByName } from "./machines-by-name.ts";
import { DELETE_MS, READY_MS, SCRATCH_LIFETIME_SECONDS } from "./timeouts.ts";

/**
 * Deletes whatever machine bears the name and proves it; one that is not there is fine. What this process knows may be outdated: another
 * one may have replaced the machine, and then the newer one has to go.
 */
export async function deleteMachine(machines: MachinesByName, name: string): Promise<void> {
  const driver = await machines.driver.get();
  const known = machines.ids.get(name);
  machines.ids.delete(name);
  await driver.deleteNamed(name, known, { timeoutMs: DELETE_MS });
}

/**
 * Throw-away machines that several holders share. The first gets a fresh one, the last to let go deletes it. Calls for one name must not overlap:
 * the backend queues them.
 */
export class ScratchMachines {
  readonly #machines: MachinesByName;
  readonly #holders = new Map<string, number>();

  constructor(machines: MachinesByName) {
    this.#machines = machines;
  }

  /** True when the machine is new. What an earlier process left under the name is deleted first: its content is nobody's. */
  async acquire(name: string, spec: MachineSpec): Promise<boolean> {
    const holders = this.#holders.get(name) ?? 0;
    if (holders === 0) {
      this.#machines.ids.delete(name);
      // A stale one that this look misses makes the create call fail, so one look is enough.
      if ((await this.#machines.find(name)) !== undefined) await deleteMachine(this.#machines, name);
      const driver = await this.#machines.driver.get();
      const expiry = { afterSeconds: SCRATCH_LIFETIME_SECONDS, final: true };
      const { id } = await driver.createOwned({ ...spec, name, expiry }, { timeoutMs: READY_MS });
      this.#machines.ids.set(name, id);
    }
    this.#holders.set(name, holders + 1);
    return holders === 0;
  }

  /**
   * A machine that this process does not know (its holder died) goes with the first release. One that it made goes alone: who has replaced it
   * meanwhile uses the newer one.
   */
  async release(name: string): Promise<void> {
    const holders = (this.#holders.get(name) ?? 1) - 1;
    if (holders > 0) {
      this.#holders.set(name, holders);
      return;
    }
    this.#holders.delete(name);
    const known = this.#machines.ids.get(name);
    if (known === undefined) return deleteMachine(this.#machines, name);
    this.#machines.ids.delete(name);
    await (await this.#machines.driver.get()).deleteSettled(known, { timeoutMs: DELETE_MS }, { name });
  }
}
