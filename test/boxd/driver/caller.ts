import { expect } from "vitest";
import { CleanupUnconfirmedError, MachineDriver, type BoxdClient, type Clock } from "../../../src/boxd/driver/index.ts";
import { countedCommand, type FakeMachine, type FakePlane } from "../../support/boxd-fake/index.ts";

export const SECRET = "canary-secret-0123456789";
export const TIMEOUT_MS = 8_000;
export const CLEANUP_MS = 6_000;
const HANGS = "86397";
/** Calls that a caller makes. */
export const METHODS = [
  "create",
  "get",
  "list",
  "delete",
  "start",
  "stop",
  "reboot",
  "pause",
  "resume",
  "wake",
  "exec",
  "setDeleteAfter",
  "setAutoSuspendTimeout",
  "setAutoHibernateTimeout",
  "files.upload",
  "files.download",
] as const;

export const STEPS = [
  "create",
  "create-labelled",
  "getOrCreate",
  "fail-prepare",
  "abort-prepare",
  "abort-create",
  "exec",
  "hang",
  "wake",
  "suspend",
  "stop",
  "reboot",
  "delete",
  "upload",
  "download",
  "sleeps",
  "hibernates",
  "stops",
  "vanishes",
] as const;
export type Step = (typeof STEPS)[number];

/** What a caller believes: who owns which machine, and how often each command may have run. I2 and I6 are looked at when a call answers. */
export class Caller {
  readonly texts: string[] = [];
  readonly #owned = new Set<string>();
  /** names that the caller chose itself, and names in cleanup errors; the mere mention in another error does not count */
  readonly #named = new Set<string>();
  readonly #plane: FakePlane;
  readonly #driver: MachineDriver;
  #runs = 0;

  constructor(plane: FakePlane, { client, clock }: { client: BoxdClient; clock: Clock }) {
    this.#plane = plane;
    this.#driver = new MachineDriver({
      client,
      clock,
      org: "acme",
      secrets: [SECRET],
      times: { cleanupMs: CLEANUP_MS, callMs: 2_000, settleMs: 20_000 },
    });
  }

  /** Keeps the text of what is thrown. */
  async take(step: Step): Promise<void> {
    try {
      await this.#send(step);
    } catch (error) {
      if (!(error instanceof Error) || error.name === "AssertionError") throw error;
      if (error instanceof CleanupUnconfirmedError) this.#named.add(error.left.name);
      this.texts.push(
        `${String(error.stack)} ${error instanceof CleanupUnconfirmedError ? JSON.stringify(error.left) : ""} ${String(error.cause)}`,
      );
    }
  }

  lost(): string[] {
    return this.#plane
      .survivors()
      .filter(({ id, name }) => !this.#owned.has(id) && !this.#named.has(name))
      .map(({ name }) => name);
  }

  async #send(step: Step): Promise<void> {
    const within = { timeoutMs: TIMEOUT_MS };
    const abort = new AbortController();
    const prepare = async (): Promise<void> => {
      if (step === "fail-prepare") throw new Error("prepare");
      if (step === "abort-prepare") abort.abort();
    };
    if (step === "getOrCreate") {
      this.#named.add("qm-a");
      this.#owned.add((await this.#driver.getOrCreate("qm-a", { expiry: { afterSeconds: 900 } }, within)).machine.id);
    } else if (step === "create" || step === "create-labelled") {
      const spec = step === "create" ? {} : { labels: { a: "b" }, vcpu: 1, isolated: true };
      this.#owned.add((await this.#driver.createOwned({ expiry: { afterSeconds: 900 }, ...spec }, within)).id);
    } else if (step === "fail-prepare" || step === "abort-prepare" || step === "abort-create") {
      if (step === "abort-create")
        this.#plane.faults.inject({ method: "machines.create", when: "after", hold: async () => abort.abort() });
      const made = await this.#driver.createOwned({ prepare }, { ...within, signal: abort.signal });
      // Only when somebody else's fault came before the abort.
      this.#owned.add(made.id);
    } else {
      const id = [...this.#owned][0];
      const machine = this.#plane.allMachines().find((candidate) => candidate.id === id);
      if (machine !== undefined) await this.#onMachine(step, machine, within);
    }
  }

  async #onMachine(step: Step, machine: FakeMachine, within: { timeoutMs: number }): Promise<void> {
    const { id } = machine;
    if (step === "exec")
      await this.#driver.exec(
        id,
        { command: countedCommand(this.#runs++), env: { TOKEN: SECRET }, stdin: SECRET },
        within,
      );
    if (step === "upload") await this.#driver.upload(id, "/home/boxd/file", SECRET, {}, within);
    if (step === "download")
      expect([null, SECRET], "I7").toContain(textOf(await this.#driver.download(id, "/home/boxd/file", within)));
    if (step === "wake") await this.#driver.ensureRunning(id, within);
    if (step === "suspend") {
      await this.#driver.suspend(id, within);
      expect(machine.status, "I2: suspended").toMatch(/^(suspended|hibernated|stopped)$/);
    }
    if (step === "hang") {
      const outcome = await this.#driver.exec(id, { command: `sleep ${HANGS} & sleep ${HANGS}` }, { timeoutMs: 3_000 });
      expect(outcome.ended).toBe("timeout");
      const left = machine.processes().filter(({ argv }) => argv.join(" ") === `sleep ${HANGS}`);
      if (outcome.ended === "timeout" && outcome.groupGone) expect(left, "I6: a command that was ended").toEqual([]);
    }
    if (step === "reboot") await this.#driver.reboot(id, within);
    if (step === "stop") {
      await this.#driver.stopConfirmed(id, within);
      expect(machine.status, "I2: a stopped receipt").toBe("stopped");
      expect(machine.processes(), "I6").toEqual([]);
    }
    if (step === "delete") {
      await this.#driver.deleteConfirmed(id, within);
      expect(machine.status, "I2: a destroyed receipt").toMatch(/^(destroying|destroyed|absent)$/);
      this.#owned.delete(id);
    }
    const outside = ({ sleeps: "suspended", hibernates: "hibernated", stops: "stopped" } as const)[
      step as "sleeps" | "hibernates" | "stops"
    ];
    if (/^destroy|^absent/.test(machine.status)) return;
    if (outside !== undefined) await machine.force(outside);
    if (step === "vanishes") await machine.delete();
  }
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString();
}
