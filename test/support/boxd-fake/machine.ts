import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { MachineCreateParams } from "../../../src/boxd/driver/client.ts";
import type { PlaneClock } from "./clock.ts";
import type { Origin, Source } from "./copies.ts";
import { Disk } from "./disk.ts";
import { runCommand, type Finished, type Streams } from "./exec.ts";
import { downloadFile, uploadFile } from "./files.ts";
import { ProcessTable, type MachineProcess } from "./processes.ts";
import { Progress } from "./progress.ts";
import { sharedController } from "./signals.ts";
import { isGone, requireAgent, requirePresent, requireStatus, type Status, type Steps } from "./status.ts";
import { MachineTimers } from "./timers.ts";
import type { Resources } from "./validate.ts";

/** What a machine shares with its plane; `steps` and the switches may be changed while it lives. */
export interface Surroundings {
  readonly root: string;
  readonly clock: PlaneClock;
  readonly steps: Steps;
  readonly tools: Readonly<Record<string, string>>;
  readonly mounts: boolean;
  readonly parkedWakes: () => boolean;
  readonly fileCap: () => number;
  /** how the next boot ends */
  readonly bootEnds: () => "running" | "failed";
}

/** One machine: a directory, real processes, and a status that moves on as it is read. */
export class FakeMachine {
  readonly id = randomUUID();
  name: string;
  /** what it was made with */
  readonly params: MachineCreateParams;
  readonly createdAt: Date;
  readonly source: Source | null;
  readonly isolated: boolean;
  resources: Resources;
  labels: Readonly<Record<string, string>>;
  networks: readonly string[] = [];
  readonly timers: MachineTimers;
  readonly disk: Disk;
  egressAllow: readonly string[] = [];
  botProtection: "on" | "sleep_only" | "off" = "on";
  idleIgnoreOutbound = false;
  private readonly table: ProcessTable;
  private power = sharedController();
  private readonly around: Surroundings;
  private readonly progress = new Progress<Status>("pending", (status) => {
    this.enter(status);
  });

  constructor(params: MachineCreateParams, resources: Resources, origin: Origin | undefined, around: Surroundings) {
    this.around = around;
    this.params = structuredClone(params);
    this.name = params.name;
    this.resources = resources;
    this.source = origin?.source ?? null;
    // One way: a copy cannot be made to see more than what it is a copy of.
    this.isolated = params.isolated === true || origin?.isolated === true;
    this.labels = { ...origin?.labels, ...params.labels };
    this.createdAt = new Date(around.clock.wallNow());
    this.disk = new Disk(join(around.root, this.id), around.tools);
    if (origin?.home !== undefined) this.disk.fill(origin.home);
    this.table = new ProcessTable(this.disk.root);
    this.timers = new MachineTimers(around.clock, {
      suspend: () => {
        if (this.status === "running") this.progress.go("suspended");
      },
      hibernate: () => {
        if (this.status === "running" || this.status === "suspended") this.progress.go("hibernated");
      },
      destroy: () => {
        if (!isGone(this.status)) void this.delete();
      },
    });
    const pending = Math.floor(around.steps.boot / 2);
    this.progress.go(["pending", pending], ["starting", around.steps.boot - pending], around.bootEnds());
  }

  get status(): Status {
    return this.progress.state;
  }

  /** One read of the record: what is under way comes one step nearer. */
  observe(): void {
    this.progress.observe();
  }

  start(): void {
    requireStatus(this.name, this.status, ["stopped", "failed"], "start");
    this.boot();
  }

  /** Orderly: the disk is synced, memory and processes are lost. */
  async reboot(): Promise<void> {
    requireStatus(this.name, this.status, ["running", "failed"], "reboot");
    this.progress.go("starting");
    await this.cutPower();
    this.disk.sync();
    this.boot();
  }

  /** To another size class. A running machine is rebooted for it, a stopped one has it when it starts; what sleeps has its memory in the old size. */
  async resize(resources: Resources): Promise<boolean> {
    requireStatus(this.name, this.status, ["running", "stopped", "failed"], "resize");
    const reboots = this.status === "running";
    if (reboots) await this.reboot();
    this.resources = resources;
    return reboots;
  }

  /** Power-off: processes are killed, files that were not synced lose their content. */
  async stop(): Promise<void> {
    requireStatus(this.name, this.status, ["running"], "stop");
    this.progress.go("stopping");
    await this.cutPower();
    this.disk.powerOff();
    if (this.status === "stopping") this.progress.go(["stopping", this.around.steps.stop], "stopped");
  }

  pause(): void {
    requireStatus(this.name, this.status, ["running"], "suspend");
    this.progress.go(["running", this.around.steps.suspend], "suspended");
  }

  resume(): void {
    requireStatus(this.name, this.status, ["suspended"], "resume");
    this.progress.go("running");
  }

  hibernate(): void {
    requireStatus(this.name, this.status, ["running"], "hibernate");
    this.progress.go(["suspended", this.around.steps.hibernate], "hibernated");
  }

  wake(): void {
    requireStatus(this.name, this.status, ["hibernated"], "wake");
    this.progress.go(["starting", this.around.steps.wake], "running");
  }

  async delete(): Promise<void> {
    requirePresent(this.status);
    this.progress.go("destroying");
    await this.dispose();
    this.progress.go(["destroying", this.around.steps.destroy], ["destroyed", this.around.steps.tombstone], "absent");
  }

  async exec(command: string, streams?: Streams): Promise<Finished> {
    this.reachAgent();
    const { disk, table, power } = this;
    const { mounts } = this.around;
    const place = { processes: table, map: disk, bin: disk.bin, mounts, powerLost: power.signal };
    return await runCommand(place, command, streams);
  }

  upload(path: string, source: Uint8Array): number {
    this.reachAgent();
    return uploadFile(this.disk, path, source, this.around.fileCap());
  }

  download(path: string): Uint8Array {
    this.reachAgent();
    return downloadFile(this.disk, path, this.around.fileCap());
  }

  /** Inbound traffic: keeps the machine awake, and wakes it when it sleeps. */
  inbound(): void {
    if (this.status === "suspended" || this.status === "hibernated") this.progress.go("running");
    this.timers.touch();
  }

  /** The machine's live processes, frozen ones included. */
  processes(): MachineProcess[] {
    return this.table.list();
  }

  /** Ends every process and removes the disk. */
  async dispose(): Promise<void> {
    this.timers.cancel();
    await this.cutPower();
    this.disk.remove();
  }

  /** `dispose` for the moment a process exits. */
  disposeNow(): void {
    this.timers.cancel();
    this.table.killNow();
    this.disk.remove();
  }

  /** Puts the machine into a state without the calls that lead there, for tests that begin there. A state on the way goes on as it would. */
  async force(status: Exclude<Status, "destroying" | "absent">): Promise<void> {
    const { boot, stop } = this.around.steps;
    if (status === "destroyed") await this.dispose();
    if (status === "stopped" || status === "failed" || status === "stopping") await this.cutPower();
    else if (this.power.signal.aborted) this.power = sharedController();
    if (status === "pending") this.progress.go(["pending", boot], ["starting", boot], this.around.bootEnds());
    else if (status === "starting") this.progress.go(["starting", boot], this.around.bootEnds());
    else if (status === "stopping") this.progress.go(["stopping", stop], "stopped");
    else this.progress.go(status);
  }

  /** Refuses what needs the agent inside, unless it can answer. */
  reachAgent(): void {
    if (requireAgent(this.name, this.status, this.around.parkedWakes()) === "wake") this.progress.go("running");
  }

  private boot(): void {
    this.power = sharedController();
    this.disk.boot();
    this.progress.go(["starting", this.around.steps.boot], this.around.bootEnds());
  }

  private enter(status: Status): void {
    if (status === "suspended" || status === "hibernated") this.table.freeze();
    if (status !== "running") return;
    this.table.thaw();
    this.timers.touch();
  }

  private async cutPower(): Promise<void> {
    this.power.abort();
    await this.table.kill();
  }
}
