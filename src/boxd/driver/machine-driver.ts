import { Deadline, toDeadline, type Limits } from "./deadline.ts";
import type { BoxdClient, Machine } from "./client.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { DriverContext, DriverTimes } from "./call.ts";
import { control } from "./call.ts";
import { createOwned, type OwnedMachine, type OwnedSpec } from "./create.ts";
import { deleteConfirmed, deleteNamed, isGone, type DestroyedReceipt } from "./delete.ts";
import { ensure, type FoundOrCreated } from "./get-or-create.ts";
import type { LeftBehind } from "./errors.ts";
import { exec, type ExecOutcome, type ExecRequest } from "./exec.ts";
import { download, makeDirectory, upload } from "./files.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { listMatching, type MachineFilter } from "./list.ts";
import { findByName, readMachine } from "./lookup.ts";
import { httpsUrl, pinRoute, setBotProtection, setEgressAllow } from "./network.ts";
import { park } from "./suspend.ts";
import { redactedTail } from "./redact.ts";
import type { Expiry, IdleTimers, MachineSpec } from "./machine-spec.ts";
import { machineState, type MachineState } from "./state.ts";
import { stopConfirmed, type StoppedReceipt } from "./stop.ts";
import { setExpiry, setIdleTimers } from "./timers.ts";
import { probe, wake } from "./wake.ts";

export interface MachineDriverOptions {
  client: BoxdClient;
  /** org slug; the key's own org when omitted */
  org?: string;
  clock?: Clock;
  /** home directory of the machine user, default `/home/boxd` */
  home?: string;
  times?: Partial<DriverTimes>;
  /** values that no message may contain; give the API key */
  secrets?: readonly string[];
}

/** What `inspect` sees, without waking anything. */
export type Inspection = { state: "absent" } | { state: Exclude<MachineState, "destroyed">; machine: Machine };

/** Either limits for this call alone, or a budget that several calls share. Without any, `times.operationMs` applies. */
export type Within = Limits | Deadline;

const DEFAULT_TIMES: DriverTimes = {
  pollMs: 500,
  callMs: 15_000,
  operationMs: 180_000,
  cleanupMs: 20_000,
  settleMs: 1_000,
};

/**
 * Drives boxd machines. Every method throws `BoxdDriverError` (see its `kind`), never the SDK's errors, and ends within its budget; a failed `createOwned` may
 * take `cleanupMs` more, a killed command `settleMs`. Machines are addressed by id. Methods may run in parallel, also on one machine.
 */
export class MachineDriver {
  readonly #context: DriverContext;
  readonly #queue = new KeyedQueue();

  constructor(options: MachineDriverOptions) {
    this.#context = {
      client: options.client,
      clock: options.clock ?? systemClock,
      org: options.org,
      home: options.home ?? "/home/boxd",
      times: { ...DEFAULT_TIMES, ...options.times },
      secrets: options.secrets ?? [],
    };
  }

  get clock(): Clock {
    return this.#context.clock;
  }

  /** home directory of the machine user */
  get home(): string {
    return this.#context.home;
  }

  /** A budget to share between calls. */
  budget(ms: number, signal?: AbortSignal): Deadline {
    return new Deadline(this.#context.clock, ms, signal);
  }

  /** See `create.ts`: a machine for one owner, or nothing left behind. */
  async createOwned(spec: OwnedSpec, within?: Within): Promise<OwnedMachine> {
    const budget = this.#within(within);
    const create = (): Promise<OwnedMachine> => createOwned(this.#context, spec, budget);
    return spec.name === undefined ? create() : this.#queue.run(spec.name, create);
  }

  /** See `get-or-create.ts`: the one machine of a name. Calls for one name run one after the other. */
  async ensure(name: string, spec: MachineSpec, within?: Within): Promise<FoundOrCreated> {
    const budget = this.#within(within);
    return this.#queue.run(name, () => ensure(this.#context, name, spec, budget));
  }

  /** The live machine of this name. */
  async find(name: string, within?: Within): Promise<Machine | undefined> {
    return findByName(this.#context, name, this.#within(within));
  }

  /** See `list.ts`. */
  async list(filter: MachineFilter = {}, within?: Within): Promise<Machine[]> {
    return listMatching(this.#context, filter, this.#within(within));
  }

  /** Reads a machine and changes nothing. */
  async inspect(id: string, within?: Within): Promise<Inspection> {
    const machine = await readMachine(this.#context, id, this.#within(within));
    if (machine === undefined) return { state: "absent" };
    return { state: machineState(machine) as Exclude<MachineState, "destroyed">, machine };
  }

  /** See `wake.ts`: to `running` from wherever it is, and answering. */
  async wake(id: string, within?: Within): Promise<Machine> {
    return wake(this.#context, id, this.#within(within));
  }

  /** See `suspend.ts`: suspended, processes kept. */
  async park(id: string, within?: Within): Promise<Machine> {
    return park(this.#context, id, this.#within(within));
  }

  /** See `stop.ts`: a receipt only for a machine that boxd reports as stopped. */
  async stopConfirmed(id: string, within?: Within): Promise<StoppedReceipt> {
    return stopConfirmed(this.#context, id, this.#within(within));
  }

  /** See `delete.ts`: a receipt only for a machine that boxd no longer knows. `known` completes the error for when that cannot be confirmed. */
  async deleteConfirmed(id: string, within?: Within, known?: Partial<LeftBehind>): Promise<DestroyedReceipt> {
    return deleteConfirmed(this.#context, id, this.#within(within), known);
  }

  /** See `delete.ts`: no machine of this name is left. `knownId` is where to begin. */
  async deleteNamed(name: string, knownId: string | undefined, within?: Within): Promise<void> {
    return deleteNamed(this.#context, name, knownId, this.#within(within));
  }

  /** See `delete.ts`: whether a machine is absent beyond one stale reading. Changes nothing. */
  async isGone(id: string, within?: Within): Promise<boolean> {
    return isGone(this.#context, id, this.#within(within));
  }

  /** Reboots a machine and waits until it answers. A refusal is thrown. */
  async reboot(id: string, within?: Within): Promise<Machine> {
    const budget = this.#within(within);
    await control(this.#context, budget, `reboot machine ${id}`, () => this.#context.client.machines.reboot(id));
    const machine = await wake(this.#context, id, budget);
    await probe(this.#context, id, budget);
    return machine;
  }

  /** True when the guest of a running machine answers in time; wakes nothing. */
  async answers(id: string, within?: Within): Promise<boolean> {
    try {
      await probe(this.#context, id, this.#within(within));
      return true;
    } catch {
      return false;
    }
  }

  /** See `exec.ts`: at most once, exact status, whole group killed on a deadline or abort. */
  async exec(id: string, request: ExecRequest, within?: Within): Promise<ExecOutcome> {
    return exec(this.#context, id, request, this.#within(within));
  }

  /** See `files.ts`: atomic and checked. */
  async upload(
    id: string,
    path: string,
    content: string | Uint8Array,
    options: { mode?: number } = {},
    within?: Within,
  ): Promise<void> {
    return upload(this.#context, id, path, content, options, this.#within(within));
  }

  /** See `files.ts`: null when there is no such file. */
  async download(id: string, path: string, within?: Within): Promise<Uint8Array | null> {
    return download(this.#context, id, path, this.#within(within));
  }

  async makeDirectory(id: string, path: string, within?: Within): Promise<void> {
    return makeDirectory(this.#context, id, path, this.#within(within));
  }

  /** See `timers.ts`: answers the latest moment at which boxd deletes the machine. */
  async setExpiry(id: string, expiry: Expiry, within?: Within): Promise<Date> {
    return setExpiry(this.#context, id, expiry, this.#within(within));
  }

  async setIdleTimers(id: string, idle: IdleTimers, within?: Within): Promise<void> {
    return setIdleTimers(this.#context, id, idle, this.#within(within));
  }

  /** See `network.ts`: `[]` open, `["none"]` closed; returns once enforced. */
  async setEgressAllow(id: string, entries: readonly string[], within?: Within): Promise<void> {
    return setEgressAllow(this.#context, id, entries, this.#within(within));
  }

  /** See `network.ts`: a secret; throws `insecure` when there is no https address. */
  async httpsUrl(id: string, within?: Within): Promise<string> {
    return httpsUrl(this.#context, id, this.#within(within));
  }

  async pinRoute(id: string, port: number, within?: Within): Promise<void> {
    return pinRoute(this.#context, id, port, this.#within(within));
  }

  /** False when this SDK cannot do it. */
  async setBotProtection(id: string, enabled: boolean, within?: Within): Promise<boolean> {
    return setBotProtection(this.#context, id, enabled, this.#within(within));
  }

  /** Text for a message: the driver's secrets and the given ones masked, the last `maxChars` characters kept. */
  redact(text: string, secrets: readonly string[] = [], maxChars?: number): string {
    return redactedTail(text, [...this.#context.secrets, ...secrets], maxChars);
  }

  #within(within: Within | undefined): Deadline {
    return toDeadline(this.#context.clock, within, this.#context.times.operationMs);
  }
}
