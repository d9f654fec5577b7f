import { readdirSync, readFileSync } from "node:fs";

/** A live process of a machine, read from /proc. */
export interface MachineProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly pgrp: number;
  readonly session: number;
  /** `R`, `S`, `T` (frozen), … */
  readonly state: string;
  readonly argv: readonly string[];
}

/** False where there is no /proc: tests that need machines are then skipped with that reason. */
export const processesSupported = process.platform === "linux";

/** What /proc/<pid>/stat says of a process. */
type Seen = Omit<MachineProcess, "argv"> & { readonly started: string };

/** When what runs already began, by number: most of a system's processes, and no machine's, as none is there yet. They are looked at no further. */
const BEFORE = new Map(processesSupported ? everyProcess().map(({ pid, started }) => [pid, started]) : []);

const ATTEMPTS = 200;
const PAUSE_MS = 5;

/**
 * The processes of one machine: those that carry its mark in their environment, those in the sessions of its commands, and what
 * descends from either. Zombies do not count, they run nothing.
 */
export class ProcessTable {
  /** the environment of every command */
  readonly mark: { readonly FAKE_BOXD_MACHINE: string };
  private readonly sessions = new Set<number>();
  private hasRun = false;

  constructor(token: string) {
    this.mark = { FAKE_BOXD_MACHINE: token };
  }

  /** A command was started as the leader of session `pid`. */
  track(pid: number): void {
    this.sessions.add(pid);
    this.hasRun = true;
  }

  list(): MachineProcess[] {
    if (!this.hasRun) return [];
    const all = everyProcess().filter(({ pid, started }) => BEFORE.get(pid) !== started);
    this.forgetEmptySessions(all);
    const inside = new Set(
      all.filter((found) => this.sessions.has(found.session) || this.isMarked(found.pid)).map((found) => found.pid),
    );
    for (let grown = true; grown;) {
      const next = all.filter(
        (found) =>
          !inside.has(found.pid) && (inside.has(found.ppid) || inside.has(found.session) || inside.has(found.pgrp)),
      );
      for (const found of next) inside.add(found.pid);
      grown = next.length > 0;
    }
    return all.filter((found) => inside.has(found.pid)).flatMap(withArguments);
  }

  /** Freezes every process, also those forked meanwhile: nothing of a suspended machine runs. */
  freeze(): void {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const moving = this.list().filter((found) => found.state !== "T" && found.state !== "t");
      if (moving.length === 0) return;
      for (const { pid } of moving) trySignal(pid, "SIGSTOP");
    }
  }

  thaw(): void {
    for (const { pid } of this.list()) trySignal(pid, "SIGCONT");
  }

  /** Kills until nothing is left, also what is forked meanwhile. */
  async kill(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS && this.strike() > 0; attempt++) {
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSE_MS);
      });
    }
  }

  /** `kill` for the moment this process exits, when nothing asynchronous runs any more. */
  killNow(): void {
    for (let attempt = 0; attempt < ATTEMPTS && this.strike() > 0; attempt++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }

  private strike(): number {
    const found = this.list();
    for (const { pid } of found) trySignal(pid, "SIGKILL");
    return found.length;
  }

  /** A number is free for another process only once its session is empty. */
  private forgetEmptySessions(all: readonly Seen[]): void {
    const living = new Set(all.map((found) => found.session));
    for (const session of this.sessions) if (!living.has(session)) this.sessions.delete(session);
  }

  private isMarked(pid: number): boolean {
    try {
      return readFileSync(`/proc/${String(pid)}/environ`, "latin1")
        .split("\0")
        .includes(`FAKE_BOXD_MACHINE=${this.mark.FAKE_BOXD_MACHINE}`);
    } catch {
      // Gone meanwhile, or another user's.
      return false;
    }
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function everyProcess(): Seen[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
}

/** None when it is gone meanwhile, or a zombie. */
function readProcess(name: string): Seen[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    // The command name, in parentheses, may hold anything; the fields begin after the last one, with the third.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "?", ppid, pgrp, session] = fields;
    if (state === "Z" || state === "X") return [];
    const started = fields[19] ?? "";
    return [{ pid: Number(name), state, started, ppid: Number(ppid), pgrp: Number(pgrp), session: Number(session) }];
  } catch {
    return [];
  }
}

function withArguments({ started: _started, ...found }: Seen): MachineProcess[] {
  try {
    return [
      {
        ...found,
        argv: readFileSync(`/proc/${String(found.pid)}/cmdline`, "utf8")
          .split("\0")
          .slice(0, -1),
      },
    ];
  } catch {
    return [];
  }
}
