import type { DriverContext, DriverTimes, Operation } from "./call.ts";
import { callControlPlane } from "./call.ts";
import type { BoxdClient, Machine } from "./client.ts";
import { systemClock, type Clock } from "./clock.ts";
import { createOwned, getOrCreate, type FoundOrCreated, type OwnedMachine, type OwnedSpec } from "./create.ts";
import { Deadline, type TimeLimit } from "./deadline.ts";
import { deleteConfirmed, deleteNamed, deleteSettled, isGone, type DeletionReceipt } from "./delete.ts";
import type { LeftBehind } from "./errors.ts";
import { exec } from "./exec.ts";
import { download, downloadTo, makeDirectory, upload, type FileSource } from "./files.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { findByName, listMatching, readMachine, type MachineFilter } from "./lookup.ts";
import { machineState, type MachineState } from "./machine-record.ts";
import {
  clearExpiry,
  httpsUrl,
  pinRoute,
  setBotProtection,
  setEgressAllow,
  setExpiry,
  setIdleTimers,
} from "./machine-settings.ts";
import type { MachineSpec } from "./machine-spec.ts";
import { ensureRunning, probe, stopConfirmed, suspend } from "./power-state.ts";
import { redactedTail } from "./redact.ts";

export interface MachineDriverOptions {
  client: BoxdClient;
  /** org slug; the key's own org when omitted */
  org?: string;
  clock?: Clock;
  /** home directory of the machine user, default `/home/boxd` */
  home?: string;
  times?: Partial<DriverTimes>;
  /** told of trouble that is being waited out, for who must not be silent meanwhile */
  onRetry?: DriverContext["onRetry"];
  /** values that no message may contain; give the API key */
  secrets?: readonly string[];
}

/** What `inspect` sees, without starting anything. */
export type Inspection = { state: "absent" } | { state: Exclude<MachineState, "destroyed">; machine: Machine };

/** Either a limit for this call alone, or a deadline that several calls share. Without any, `times.operationMs` applies. */
export type Within = TimeLimit | Deadline;

const DEFAULT_TIMES: DriverTimes = {
  pollMs: 500,
  callMs: 15_000,
  listingLagMs: 2_000,
  operationMs: 180_000,
  cleanupMs: 20_000,
  settleMs: 1_000,
};

/**
 * Drives boxd machines. Every method throws `BoxdDriverError` (see its `kind`), never the SDK's errors, and ends by its deadline; a failed
 * `createOwned` may take `cleanupMs` more, a killed command `settleMs`. Machines are addressed by id. Methods may run in parallel, also on one
 * machine. What a method does in detail stands at the function of its name.
 */
export class MachineDriver {
  readonly clock: Clock;
  /** home directory of the machine user */
  readonly home: string;
  readonly #context: DriverContext;
  readonly #queue = new KeyedQueue();

  /** The live machine of this name. */
  readonly find = this.#method(findByName);
  /** To `running` from whatever state, and answering. */
  readonly ensureRunning = this.#method(ensureRunning);
  /** Suspended to memory, processes kept. */
  readonly suspend = this.#method(suspend);
  /** A receipt only for a machine that boxd reports as stopped. */
  readonly stopConfirmed = this.#method(stopConfirmed);
  /** Whether a machine is absent beyond one stale reading. Changes nothing. */
  readonly isGone = this.#method(isGone);
  /** No machine of this name is left. `knownId` is where to begin. */
  readonly deleteNamed = this.#method(deleteNamed);
  /** At most once, exact status, whole group killed on a deadline or abort. */
  readonly exec = this.#method(exec);
  /** Null when there is no such file. */
  readonly download = this.#method(download);
  /** The same in pieces. */
  readonly downloadTo = this.#method(downloadTo);
  readonly makeDirectory = this.#method(makeDirectory);
  /** Answers the latest moment at which boxd deletes the machine. */
  readonly setExpiry = this.#method(setExpiry);
  readonly clearExpiry = this.#method(clearExpiry);
  readonly setIdleTimers = this.#method(setIdleTimers);
  /** `[]` open, `["none"]` closed; returns once enforced. */
  readonly setEgressAllow = this.#method(setEgressAllow);
  /** A secret; throws `insecure` when there is no https address. */
  readonly httpsUrl = this.#method(httpsUrl);
  readonly pinRoute = this.#method(pinRoute);
  /** False when this SDK cannot do it. */
  readonly setBotProtection = this.#method(setBotProtection);

  constructor(options: MachineDriverOptions) {
    const { client, clock = systemClock, org, home = "/home/boxd", times, secrets = [], onRetry } = options;
    this.clock = clock;
    this.home = home;
    const context = { client, clock, org, home, times: { ...DEFAULT_TIMES, ...times }, secrets };
    this.#context = { ...context, ...(onRetry === undefined ? {} : { onRetry }) };
  }

  /** A deadline to share between calls. */
  deadline(ms: number, signal?: AbortSignal): Deadline {
    return new Deadline(this.#context.clock, ms, signal);
  }

  /** A machine for one owner, or nothing left behind. */
  async createOwned(spec: OwnedSpec, within?: Within): Promise<OwnedMachine> {
    const operation = this.#operation(within);
    const create = (): Promise<OwnedMachine> => createOwned(operation, spec);
    return spec.name === undefined ? create() : this.#queue.run(spec.name, create);
  }

  /** The one machine of a name, running. Calls for one name run one after the other. */
  async getOrCreate(name: string, spec: MachineSpec, within?: Within): Promise<FoundOrCreated> {
    const operation = this.#operation(within);
    return this.#queue.run(name, () => getOrCreate(operation, name, spec));
  }

  /** The live machines of the org that the filter fits. */
  async list(filter: MachineFilter = {}, within?: Within): Promise<Machine[]> {
    return listMatching(this.#operation(within), filter);
  }

  /** Reads a machine and changes nothing. */
  async inspect(id: string, within?: Within): Promise<Inspection> {
    const machine = await readMachine(this.#operation(within), id);
    if (machine === undefined) return { state: "absent" };
    return { state: machineState(machine) as Exclude<MachineState, "destroyed">, machine };
  }

  /** A receipt that says what is known. `known` completes the error for when nothing can be confirmed. */
  async deleteConfirmed(id: string, within?: Within, known?: Partial<LeftBehind>): Promise<DeletionReceipt> {
    return deleteConfirmed(this.#operation(within), id, known);
  }

  /** Resolves only for a machine that is gone for good. */
  async deleteSettled(id: string, within?: Within, known?: Partial<LeftBehind>): Promise<void> {
    return deleteSettled(this.#operation(within), id, known);
  }

  /** Reboots a machine and waits until it answers. A refusal is thrown. */
  async reboot(id: string, within?: Within): Promise<Machine> {
    const operation = this.#operation(within);
    await callControlPlane(operation, `reboot machine ${id}`, () => operation.client.machines.reboot(id));
    const machine = await ensureRunning(operation, id);
    await probe(operation, id);
    return machine;
  }

  /** True when the guest of a running machine answers in time; starts nothing. */
  async answers(id: string, within?: Within): Promise<boolean> {
    try {
      await probe(this.#operation(within), id);
      return true;
    } catch {
      return false;
    }
  }

  /** Atomic and checked. */
  async upload(
    id: string,
    path: string,
    content: string | Uint8Array | FileSource,
    options: { mode?: number } = {},
    within?: Within,
  ): Promise<void> {
    return upload(this.#operation(within), id, path, content, options);
  }

  /** Text for a message: the driver's secrets and the given ones masked, the last `maxChars` characters kept. */
  redact(text: string, secrets: readonly string[] = [], maxChars?: number): string {
    return redactedTail(text, [...this.#context.secrets, ...secrets], maxChars);
  }

  /** A method that is one of the driver's functions; behind the function's own arguments stands `within`. */
  #method<A extends unknown[], R>(
    run: (operation: Operation, ...args: A) => Promise<R>,
  ): (...args: [...A, within?: Within]) => Promise<R> {
    const count = run.length - 1;
    return async (...all) => run(this.#operation(all[count] as Within | undefined), ...(all.slice(0, count) as A));
  }

  #operation(within: Within = {}): Operation {
    const { clock, times } = this.#context;
    const deadline =
      within instanceof Deadline ? within : new Deadline(clock, within.timeoutMs ?? times.operationMs, within.signal);
    return { ...this.#context, deadline };
  }
}
