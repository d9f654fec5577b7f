import type { DriverContext, DriverTimes, Operation } from "./call.ts";
import { callControlPlane } from "./call.ts";
import type { BoxdClient, Machine } from "./client.ts";
import { systemClock, type Clock } from "./clock.ts";
import { createOwned, getOrCreate, type FoundOrCreated, type OwnedMachine, type OwnedSpec } from "./create.ts";
import { Deadline, type TimeLimit } from "./deadline.ts";
import { deleteConfirmed, deleteNamed, isGone, type DestroyedReceipt } from "./delete.ts";
import type { LeftBehind } from "./errors.ts";
import { exec, type ExecOutcome, type ExecRequest } from "./exec.ts";
import { download, makeDirectory, upload } from "./files.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { findByName, listMatching, readMachine, type MachineFilter } from "./lookup.ts";
import { machineState, type MachineState } from "./machine-record.ts";
import type { Expiry, IdleTimers, MachineSpec } from "./machine-spec.ts";
import { httpsUrl, pinRoute, setBotProtection, setEgressAllow } from "./network.ts";
import { ensureRunning, probe, stopConfirmed, suspend, type StoppedReceipt } from "./power-state.ts";
import { redactedTail } from "./redact.ts";
import { setExpiry, setIdleTimers } from "./timers.ts";

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

/** What `inspect` sees, without starting anything. */
export type Inspection = { state: "absent" } | { state: Exclude<MachineState, "destroyed">; machine: Machine };

/** Either a limit for this call alone, or a deadline that several calls share. Without any, `times.operationMs` applies. */
export type Within = TimeLimit | Deadline;

const DEFAULT_TIMES: DriverTimes = {
  pollMs: 500,
  callMs: 15_000,
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
  readonly #context: DriverContext;
  readonly #queue = new KeyedQueue();

  constructor({ client, clock = systemClock, org, home = "/home/boxd", times, secrets = [] }: MachineDriverOptions) {
    this.#context = { client, clock, org, home, times: { ...DEFAULT_TIMES, ...times }, secrets };
  }

  get clock(): Clock {
    return this.#context.clock;
  }

  /** home directory of the machine user */
  get home(): string {
    return this.#context.home;
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

  /** The live machine of this name. */
  async find(name: string, within?: Within): Promise<Machine | undefined> {
    return findByName(this.#operation(within), name);
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

  /** To `running` from whatever state, and answering. */
  async ensureRunning(id: string, within?: Within): Promise<Machine> {
    return ensureRunning(this.#operation(within), id);
  }

  /** Suspended to memory, processes kept. */
  async suspend(id: string, within?: Within): Promise<Machine> {
    return suspend(this.#operation(within), id);
  }

  /** A receipt only for a machine that boxd reports as stopped. */
  async stopConfirmed(id: string, within?: Within): Promise<StoppedReceipt> {
    return stopConfirmed(this.#operation(within), id);
  }

  /** A receipt only for a machine that boxd no longer knows. `known` completes the error for when that cannot be confirmed. */
  async deleteConfirmed(id: string, within?: Within, known?: Partial<LeftBehind>): Promise<DestroyedReceipt> {
    return deleteConfirmed(this.#operation(within), id, known);
  }

  /** No machine of this name is left. `knownId` is where to begin. */
  async deleteNamed(name: string, knownId: string | undefined, within?: Within): Promise<void> {
    return deleteNamed(this.#operation(within), name, knownId);
  }

  /** Whether a machine is absent beyond one stale reading. Changes nothing. */
  async isGone(id: string, within?: Within): Promise<boolean> {
    return isGone(this.#operation(within), id);
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

  /** At most once, exact status, whole group killed on a deadline or abort. */
  async exec(id: string, request: ExecRequest, within?: Within): Promise<ExecOutcome> {
    return exec(this.#operation(within), id, request);
  }

  /** Atomic and checked. */
  async upload(
    id: string,
    path: string,
    content: string | Uint8Array,
    options: { mode?: number } = {},
    within?: Within,
  ): Promise<void> {
    return upload(this.#operation(within), id, path, content, options);
  }

  /** Null when there is no such file. */
  async download(id: string, path: string, within?: Within): Promise<Uint8Array | null> {
    return download(this.#operation(within), id, path);
  }

  async makeDirectory(id: string, path: string, within?: Within): Promise<void> {
    return makeDirectory(this.#operation(within), id, path);
  }

  /** Answers the latest moment at which boxd deletes the machine. */
  async setExpiry(id: string, expiry: Expiry, within?: Within): Promise<Date> {
    return setExpiry(this.#operation(within), id, expiry);
  }

  async setIdleTimers(id: string, idle: IdleTimers, within?: Within): Promise<void> {
    return setIdleTimers(this.#operation(within), id, idle);
  }

  /** `[]` open, `["none"]` closed; returns once enforced. */
  async setEgressAllow(id: string, entries: readonly string[], within?: Within): Promise<void> {
    return setEgressAllow(this.#operation(within), id, entries);
  }

  /** A secret; throws `insecure` when there is no https address. */
  async httpsUrl(id: string, within?: Within): Promise<string> {
    return httpsUrl(this.#operation(within), id);
  }

  async pinRoute(id: string, port: number, within?: Within): Promise<void> {
    return pinRoute(this.#operation(within), id, port);
  }

  /** False when this SDK cannot do it. */
  async setBotProtection(id: string, enabled: boolean, within?: Within): Promise<boolean> {
    return setBotProtection(this.#operation(within), id, enabled);
  }

  /** Text for a message: the driver's secrets and the given ones masked, the last `maxChars` characters kept. */
  redact(text: string, secrets: readonly string[] = [], maxChars?: number): string {
    return redactedTail(text, [...this.#context.secrets, ...secrets], maxChars);
  }

  #operation(within: Within = {}): Operation {
    const { clock, times } = this.#context;
    const deadline =
      within instanceof Deadline ? within : new Deadline(clock, within.timeoutMs ?? times.operationMs, within.signal);
    return { ...this.#context, deadline };
  }
}
