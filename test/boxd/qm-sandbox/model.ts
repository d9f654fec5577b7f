import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { CleanupUnconfirmedError, scopeName } from "../../../src/boxd/driver/index.ts";
import type {
  BackupEntry,
  BoxdSandbox,
  SandboxHandle,
  SandboxIncident,
  WorkspaceLayer,
} from "../../../src/boxd/qm-sandbox/index.ts";
import { countedCommand, scenarios, type FakeMachine, type FakePlane } from "../../support/boxd-fake/index.ts";

export const SECRET = "canary-secret-0123456789";
/** One call of qm's, or something that happens to a machine or to qm meanwhile. */
export const STEPS = [
  "provision",
  "provision-layers",
  "provision-scratch",
  "run",
  "run-timeout",
  "run-abort",
  "write",
  "read",
  "list",
  "remove",
  "extract",
  "backup",
  "restore",
  "start",
  "poll",
  "type",
  "signal",
  "sessions",
  "status",
  "restart",
  "keep",
  "destroy",
  "sleeps",
  "stops",
  "vanishes",
  "qm-restarts",
] as const;
export type Step = (typeof STEPS)[number];

const GONE = /^(destroying|destroyed|absent)$/;
/** Marks of processes that are looked for again. */
const HANGS = "86399";
const SESSION = "86398";
const SCOPE = "channel:C123";
const SCRATCH = "job";
const LAYERS: readonly WorkspaceLayer[] = [{ scopeId: SCOPE, mountPath: "", mode: "rw" }];
const WITH_SKILLS: readonly WorkspaceLayer[] = [...LAYERS, { scopeId: "skills", mountPath: "skills", mode: "ro" }];
/** The machines' names, with what is enough to tear one down. */
export const OWN: readonly SandboxHandle[] = [
  { id: scopeName("qm", SCOPE), rootDir: "/home/boxd/workspace" },
  { id: scopeName("qm-scratch", SCRATCH), rootDir: "/home/boxd/workspace", scratch: true },
];

type Opener = (onError: (incident: SandboxIncident) => void) => BoxdSandbox;

/** What qm knows after a sequence of calls, and what it may hold the backend to. I2, I6 and I7 are looked at when a call answers. */
export class Qm {
  /** what qm would show or log */
  readonly texts: string[] = [];
  /** names of machines that are kept for a scope, held, or reported as left */
  readonly #accounted = new Set<string>();
  readonly #incidents: SandboxIncident[] = [];
  readonly #plane: FakePlane;
  readonly #open: Opener;
  #sandbox: BoxdSandbox;
  #handles: SandboxHandle[] = [];
  #process = "";
  #saved: BackupEntry[] = [];
  /** what the machine's `file` may hold, null for nothing */
  readonly #contents = new Map<FakeMachine, (string | null)[]>();
  #count = 0;

  constructor(plane: FakePlane, open: Opener) {
    this.#plane = plane;
    this.#open = open;
    this.#sandbox = this.#opened();
  }

  /** One step; what it throws is kept as qm would log it. */
  async take(step: Step): Promise<void> {
    try {
      this.texts.push(JSON.stringify(await this.#send(step)) ?? "");
    } catch (error) {
      if (!(error instanceof Error) || error.name === "AssertionError") throw error;
      this.#note(error);
    }
  }

  /** Living machines of our own making that nobody knows of. */
  lost(): string[] {
    return this.#plane
      .survivors()
      .filter(({ name, params }) => !this.#accounted.has(name) && params.labels?.[scenarios.RIVAL] === undefined)
      .map(({ name }) => name);
  }

  /** Lets go of everything, and of what is left under its name. */
  async end(): Promise<void> {
    for (const handle of [...this.#handles, ...OWN]) await this.#sandbox.teardown(handle, { destroy: true });
    await this.#sandbox.close();
  }

  #opened(): BoxdSandbox {
    return this.#open((incident) => {
      this.#incidents.push(incident);
      this.texts.push(JSON.stringify(incident));
      for (const { id } of OWN)
        if (incident.code === "machine_delete_failed" && incident.message.includes(id)) this.#accounted.add(id);
    });
  }

  #note(error: Error): void {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      this.texts.push(String(cause.stack));
      if (!(cause instanceof CleanupUnconfirmedError)) continue;
      this.texts.push(JSON.stringify(cause.left));
      this.#accounted.add(cause.left.name);
    }
  }

  #machine(name: string): FakeMachine | undefined {
    return this.#plane.allMachines().findLast((machine) => machine.name === name);
  }

  async #send(step: Step): Promise<unknown> {
    const handle = this.#handles.at(-1);
    if (step === "provision" || step === "provision-layers")
      return this.#provision(step === "provision" ? LAYERS : WITH_SKILLS, false);
    if (step === "provision-scratch") return this.#provision(LAYERS, true);
    if (step === "status") return this.#sandbox.computerStatus(SCOPE);
    if (step === "restart") return this.#restart();
    if (handle === undefined) return undefined;
    if (step === "keep" || step === "destroy") return this.#teardown(handle, step === "destroy");
    if (step === "run" || step === "run-timeout" || step === "run-abort") return this.#run(step, handle);
    if (step === "write" || step === "read" || step === "backup" || step === "restore")
      return this.#content(step, handle);
    if (step === "list" || step === "remove" || step === "extract") return this.#files(step, handle);
    if (step === "sleeps" || step === "stops" || step === "vanishes" || step === "qm-restarts")
      return this.#happens(step, handle);
    return this.#session(step, handle);
  }

  async #provision(layers: readonly WorkspaceLayer[], scratch: boolean): Promise<void> {
    const name = OWN[scratch ? 1 : 0]?.id ?? "";
    // A scope's machine is qm's to find by its name, whatever becomes of the call.
    if (!scratch) this.#accounted.add(name);
    const options = { env: { TOKEN: SECRET }, egressToken: SECRET };
    const handle = await this.#sandbox.provision(layers, scratch ? { ...options, scratch: { key: SCRATCH } } : options);
    expect(handle.id).toBe(name);
    this.#accounted.add(name);
    this.#handles.push(handle);
  }

  async #teardown(handle: SandboxHandle, destroy: boolean): Promise<void> {
    const reported = this.#incidents.length;
    this.#handles.pop();
    const isLast = !this.#handles.some(({ id }) => id === handle.id);
    if (handle.scratch === true ? !isLast : !destroy) {
      await this.#sandbox.teardown(handle, { destroy });
      return;
    }
    this.#handles = this.#handles.filter(({ id }) => id !== handle.id);
    const machine = this.#machine(handle.id);
    // What it throws leaves the machine in the caller's hands, who named it.
    await this.#sandbox.teardown(handle, { destroy });
    this.#accounted.delete(handle.id);
    const failed = this.#incidents.slice(reported).find(({ code }) => code === "machine_delete_failed");
    if (failed !== undefined) {
      if (failed.message.includes(handle.id)) this.#accounted.add(handle.id);
      return;
    }
    expect(machine?.status ?? "absent", `I2: ${handle.id} is gone when nobody says otherwise`).toMatch(GONE);
    expect(machine?.processes() ?? [], "I6: nothing runs in a machine that is gone").toEqual([]);
  }

  async #run(step: "run" | "run-timeout" | "run-abort", handle: SandboxHandle): Promise<unknown> {
    if (step === "run") return this.#sandbox.run(handle, countedCommand(this.#count++), { timeoutMs: 8_000 });
    const abort = new AbortController();
    if (step === "run-abort")
      setTimeout(() => {
        abort.abort();
      }, 60);
    const reported = this.#incidents.length;
    let word = "";
    const result = await this.#sandbox
      .run(handle, `sleep ${HANGS} & sleep ${HANGS}`, {
        timeoutMs: step === "run-abort" ? 600_000 : 3_000,
        signal: abort.signal,
      })
      .catch((error: Error) => {
        word = error.message;
        this.#note(error);
      });
    // A machine that falls asleep under a command lets time jump past the abort.
    const endings = step === "run-abort" ? ["137 false", "124 true"] : ["124 true"];
    if (result !== undefined)
      expect(endings, "a command that was ended says so").toContain(
        `${String(result.code)} ${String(result.timedOut)}`,
      );
    const isEnded =
      result === undefined ? word.includes("is not running any more") : this.#incidents.length === reported;
    if (isEnded) expect(this.#running(handle, HANGS), "I6: an ended command has no processes").toEqual([]);
    return result;
  }

  #running(handle: SandboxHandle, mark: string): unknown[] {
    return (this.#machine(handle.id)?.processes() ?? []).filter(({ argv }) => argv.join(" ") === `sleep ${mark}`);
  }

  async #content(step: "write" | "read" | "backup" | "restore", handle: SandboxHandle): Promise<unknown> {
    const machine = this.#machine(handle.id);
    if (machine === undefined) return undefined;
    const before = this.#contents.get(machine) ?? [null];
    if (step === "write") {
      const data = `${SECRET} ${"é".repeat(this.#count % 2 === 0 ? 0 : 100_000)} ${String(this.#count++)}`;
      // A write that fails may have taken place, or yet do so.
      this.#contents.set(machine, [...before, data]);
      await this.#sandbox.writeFile(handle, "file", data);
      expect(this.#onDisk(machine, "file"), "I7: what was written").toBe(data);
      this.#contents.set(machine, [...before.filter((value) => value !== null), data]);
      return undefined;
    }
    if (step === "read") {
      const data = await this.#sandbox.readFile(handle, "file");
      expect(before, "I7: what is read was written").toContain(data);
      return undefined;
    }
    if (step === "backup") {
      this.#saved = await this.#sandbox.backupComputer(handle);
      const file = this.#saved.find(({ area, path }) => area === "workspace" && path === "file");
      expect(before, "I7: what is saved was written").toContain(
        file === undefined ? null : Buffer.from(file.data).toString(),
      );
      return undefined;
    }
    const entries = this.#saved
      .filter(({ area }) => area === "workspace")
      .map(({ path, data }) => ({ path: `restored/${path}`, data }));
    await this.#sandbox.extractFiles(handle, entries);
    for (const { path, data } of entries)
      expect(this.#onDisk(machine, path), "I7: what was restored").toBe(Buffer.from(data).toString());
    return undefined;
  }

  #onDisk(machine: FakeMachine, path: string): string {
    return readFileSync(join(machine.disk.home, "workspace", path), "utf8");
  }

  async #files(step: "list" | "remove" | "extract", handle: SandboxHandle): Promise<unknown> {
    const machine = this.#machine(handle.id);
    if (step === "list") return this.#sandbox.listDir(handle, "");
    if (step === "remove") {
      await this.#sandbox.removeDir(handle, "dir");
      expect(existsSync(join(machine?.disk.home ?? "", "workspace/dir")), "removed is gone").toBe(false);
      return undefined;
    }
    const data = Buffer.from(SECRET);
    await this.#sandbox.extractFiles(handle, [{ path: "dir/a/b", data }]);
    if (machine !== undefined) expect(this.#onDisk(machine, "dir/a/b"), "I7: what was extracted").toBe(SECRET);
    return undefined;
  }

  async #restart(): Promise<void> {
    const [scope] = OWN;
    await this.#sandbox.restartComputer(SCOPE);
    if (scope !== undefined) expect(this.#running(scope, SESSION), "I6: no session survives a restart").toEqual([]);
  }

  /** The command of a session goes in by its standard input, so it may hold a secret. */
  async #session(step: "start" | "poll" | "type" | "signal" | "sessions", handle: SandboxHandle): Promise<unknown> {
    if (step === "start") {
      const command = `${countedCommand(this.#count++)}; TOKEN=${SECRET} exec sleep ${SESSION}`;
      this.#process = (await this.#sandbox.startProcess(handle, command, { env: { MORE: SECRET } })).processId;
      return undefined;
    }
    if (step === "sessions") return this.#sandbox.listProcesses(handle);
    if (this.#process === "") return undefined;
    if (step === "poll") return this.#sandbox.readProcess(handle, this.#process, { waitMs: 500 });
    if (step === "type") return this.#sandbox.writeStdin(handle, this.#process, `${SECRET}\n`);
    return this.#sandbox.signalProcess(handle, this.#process, "KILL");
  }

  async #happens(step: "sleeps" | "stops" | "vanishes" | "qm-restarts", handle: SandboxHandle): Promise<void> {
    const machine = this.#machine(handle.id);
    if (step === "qm-restarts") {
      // Scratch machines of a process that died are boxd's own timer's to delete.
      this.#handles = this.#handles.filter(({ scratch }) => scratch !== true);
      this.#sandbox = this.#opened();
    } else if (machine !== undefined && !GONE.test(machine.status)) {
      await (step === "vanishes" ? machine.delete() : machine.force(step === "sleeps" ? "suspended" : "stopped"));
    }
  }
}
