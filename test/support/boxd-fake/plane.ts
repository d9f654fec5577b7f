import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Machine, MachineCreateParams } from "../../../src/boxd/driver/client.ts";
import { FakeBoxd } from "./client.ts";
import { ManualClock, type PlaneClock } from "./clock.ts";
import { fromSnapshot, type Origin, type Snapshot } from "./copies.ts";
import { grpcError, type PortViolation } from "./errors.ts";
import { Faults } from "./faults.ts";
import { FakeMachine } from "./machine.ts";
import { PortTable } from "./ports.ts";
import type { MachineProcess } from "./processes.ts";
import { ProxyTable } from "./proxies.ts";
import { HARSH, type Quirks } from "./quirks.ts";
import { machineRecord } from "./record.ts";
import { Recorder } from "./recorder.ts";
import { sharedController } from "./signals.ts";
import { DEFAULT_STEPS, isGone, type Steps } from "./status.ts";
import { checkCreateValues, refuse, resourcesOf } from "./validate.ts";

/** The key that a plane accepts unless told otherwise. */
export const TEST_KEY = "bxd_0123456789abcdefghijklmnopqrstuvwxyzABCD";

export interface PlaneOptions {
  /** timers of machines; default a `ManualClock`, so nothing fires by itself */
  clock?: PlaneClock;
  apiKeys?: readonly string[];
  org?: { id: string; slug: string };
  /** scripts on every machine's PATH, by command name */
  tools?: Readonly<Record<string, string>>;
  /**
   * Machines see `/home/boxd` and `/tmp` by mounts of their own, so that the paths also hold in files and programs; otherwise they are replaced in command
   * lines. Needs `mountsSupported()`, and takes milliseconds a command
   */
  mounts?: boolean;
  steps?: Partial<Steps>;
  quirks?: Partial<Quirks>;
}

/** A boxd control plane in this process. Its clients come from `client()`. */
export class FakePlane {
  readonly clock: PlaneClock;
  readonly recorder = new Recorder();
  readonly faults = new Faults();
  readonly steps: Steps;
  readonly quirks: Quirks;
  readonly org: { readonly id: string; readonly slug: string };
  readonly apiKeys: readonly string[];
  /** by name, for `fromSnapshot` */
  readonly snapshots = new Map<string, Snapshot>();
  /** How calls are delayed, in milliseconds of the driver's time: which runs a hundred times faster than ours, unless a `JumpClock` says otherwise. */
  delay = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms / 100);
    });
  /** how the next boots end, in order; default running */
  readonly bootEnds: ("running" | "failed")[] = [];
  /** calls that broke the port; `dispose` throws them */
  readonly violations: PortViolation[] = [];
  readonly closing = sharedController();
  readonly ports = new PortTable();
  private readonly machines: FakeMachine[] = [];
  private readonly work = new Set<{ id: unknown }>();
  private readonly proxies = new Map<string, ProxyTable>();
  /** where its machines and snapshots lie */
  readonly root: string;
  private readonly tools: Readonly<Record<string, string>>;
  private readonly mounts: boolean;

  constructor(options: PlaneOptions = {}) {
    this.clock = options.clock ?? new ManualClock();
    this.steps = { ...DEFAULT_STEPS, ...options.steps };
    this.quirks = { ...HARSH, ...options.quirks };
    this.org = options.org ?? { id: "org_1", slug: "acme" };
    this.apiKeys = options.apiKeys ?? [TEST_KEY];
    this.tools = options.tools ?? {};
    this.mounts = options.mounts ?? false;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "boxd-fake-")));
  }

  /** A call is being worked on from now on; `id` is the machine that it runs in, if any. Answers what ends that, or interrupts it for as long as something lasts. */
  begin(id: unknown): { end(): void; idle<T>(wait: Promise<T>): Promise<T> } {
    const entry = { id };
    const end = (): void => {
      this.work.delete(entry);
    };
    const idle = async <T>(wait: Promise<T>): Promise<T> => {
      end();
      try {
        return await wait;
      } finally {
        this.work.add(entry);
      }
    };
    this.work.add(entry);
    return { end, idle };
  }

  /** True while a call is being worked on. One that stalls, is held up or runs in a machine that sleeps is not: nothing comes of waiting for it. */
  isBusy(): boolean {
    const sleeping = new Set(
      this.machines
        .filter(({ status }) => status === "suspended" || status === "hibernated")
        .map(({ id }) => id as unknown),
    );
    return [...this.work].some(({ id }) => !sleeping.has(id));
  }

  /** A client; without arguments one whose key is accepted. */
  client(credentials: { apiKey?: string } = { apiKey: this.apiKeys[0] ?? TEST_KEY }): FakeBoxd {
    return new FakeBoxd(this, credentials);
  }

  /** The machine that was created under `name` last, gone or not. */
  machine(name: string): FakeMachine {
    const found = this.machines.findLast((machine) => machine.name === name);
    if (found === undefined) throw new Error(`the plane never made a machine named ${name}`);
    return found;
  }

  /** Every machine ever made. */
  allMachines(): readonly FakeMachine[] {
    return this.machines;
  }

  /** Machines that cost money: everything that is not deleted. */
  survivors(): FakeMachine[] {
    return this.machines.filter((machine) => !isGone(machine.status));
  }

  /** Live processes of all machines. */
  processes(): MachineProcess[] {
    return this.machines.flatMap((machine) => machine.processes());
  }

  /** A machine made without any call. */
  async seed(
    params: MachineCreateParams,
    status: Parameters<FakeMachine["force"]>[0] = "running",
  ): Promise<FakeMachine> {
    const machine = this.allocate(params);
    await machine.force(status);
    return machine;
  }

  create(params: MachineCreateParams): Machine {
    this.checkOrg(params.org);
    const labels = params.labels !== undefined && Object.keys(params.labels).length > 0;
    if (labels && this.quirks.labels === "refused") refuse("labels are not supported");
    const destroyAfter = params.config?.autoDestroyTimeout ?? 0;
    if (destroyAfter > 0 && this.quirks.autoDestroy === "refused") refuse("auto_destroy_timeout_secs is not supported");
    const machine = this.allocate(params);
    machine.timers.destroyAfter(destroyAfter, this.quirks.autoDestroy === "idle");
    return this.record(machine);
  }

  get(idOrName: string): Machine {
    const machine = this.find(idOrName);
    machine.observe();
    if (machine.status === "absent") throw notFound();
    return this.record(machine);
  }

  list(org: string | undefined): Machine[] {
    this.checkOrg(org);
    for (const machine of this.machines) machine.observe();
    return this.machines.filter((machine) => machine.status !== "absent").map((machine) => this.record(machine));
  }

  /** By id; by name only where the quirk says so. NOT_FOUND for one that is gone without a trace. */
  find(idOrName: string): FakeMachine {
    const found = this.machines.findLast(
      (machine) =>
        machine.status !== "absent" &&
        (machine.id === idOrName || (this.quirks.namesResolve && machine.name === idOrName)),
    );
    if (found === undefined) throw notFound();
    return found;
  }

  routes(machine: FakeMachine): ProxyTable {
    const table = this.proxies.get(machine.id) ?? new ProxyTable(machine);
    this.proxies.set(machine.id, table);
    return table;
  }

  /** Ends everything, then throws the first violation of the port, if any: a caller that swallowed it must still fail. */
  async dispose(): Promise<void> {
    this.closing.abort();
    for (const machine of this.machines) await machine.dispose();
    rmSync(this.root, { recursive: true, force: true });
    const [violation] = this.violations;
    if (violation !== undefined) throw violation;
  }

  /** `dispose` for the moment a process exits. */
  disposeNow(): void {
    for (const machine of this.machines) machine.disposeNow();
    rmSync(this.root, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  /** Makes a machine after all checks of its values, name and quota. */
  allocate(params: MachineCreateParams, origin?: Origin): FakeMachine {
    checkCreateValues(params);
    const from = params.fromSnapshot === undefined ? origin : fromSnapshot(this, params.fromSnapshot, params.config);
    const resources = from?.resources ?? resourcesOf(params.config);
    const living = this.survivors();
    this.checkFree(params.name);
    if (living.length >= this.quirks.quota)
      throw grpcError(8, `machine quota of the org exceeded (${String(this.quirks.quota)})`);
    const machine = new FakeMachine(params, resources, from, {
      root: this.root,
      clock: this.clock,
      steps: this.steps,
      tools: this.tools,
      mounts: this.mounts,
      parkedWakes: () => this.quirks.parkedWakes,
      fileCap: () => this.quirks.fileCap,
      bootEnds: () => this.bootEnds.shift() ?? "running",
    });
    this.machines.push(machine);
    return machine;
  }

  /** Refuses a name that a machine has, a failed or a dying one included. */
  checkFree(name: string): void {
    const holder = this.machines.find(
      (machine) => machine.name === name && (!isGone(machine.status) || machine.status === "destroying"),
    );
    if (holder !== undefined) throw grpcError(this.quirks.nameTaken, `name '${name}' is already taken`);
  }

  private checkOrg(org: string | undefined): void {
    if (org !== undefined && org !== this.org.slug && org !== this.org.id)
      throw grpcError(7, "the key does not belong to this org");
  }

  /** The record of a machine as it is at this moment. */
  record(machine: FakeMachine): Machine {
    return machineRecord(machine, this.org, this.quirks);
  }
}

function notFound(): Error {
  return grpcError(5, "VM not found");
}
