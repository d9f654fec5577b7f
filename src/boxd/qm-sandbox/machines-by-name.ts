import { beginning, errorText, isErrorKind, type LazyDriver, type MachineDriver } from "../driver/index.ts";
import { runCommand, type CommandEnd, type CommandRequest } from "./command.ts";
import { READY_MS, TRANSFER_MS } from "./timeouts.ts";

/** Trouble that no call can report by failing; for qm's error log. */
export interface SandboxIncident {
  category: "sandbox_teardown" | "sandbox_exec";
  code: "machine_delete_failed" | "command_may_still_run";
  message: string;
  /** the scope whose machine it is, where there is one */
  scopeLabel?: string;
}

/**
 * The machines by name. boxd is addressed by id: names are looked up in the listing, once, and what is known of one is dropped as soon as boxd
 * denies it. A machine that was replaced is thus an error once, never a silent change of computer. Errors carry the name and the cause.
 */
export class MachinesByName {
  readonly driver: LazyDriver;
  readonly report: (incident: SandboxIncident) => void;
  /** the id that was last known to bear each name */
  readonly ids = new Map<string, string>();

  constructor(driver: LazyDriver, report: (incident: SandboxIncident) => void) {
    this.driver = driver;
    this.report = report;
  }

  /** The id of the live machine of this name, or undefined when there is none. */
  async find(name: string): Promise<string | undefined> {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const found = await (await this.driver.get()).find(name, { timeoutMs: READY_MS });
    if (found !== undefined) this.ids.set(name, found.id);
    return found?.id;
  }

  /** Does something with a machine that must exist. */
  async on<T>(name: string, label: string, work: (driver: MachineDriver, id: string) => Promise<T>): Promise<T> {
    try {
      const driver = await this.driver.get();
      const id = await this.find(name);
      if (id === undefined) throw new Error("not found");
      return await work(driver, id);
    } catch (error) {
      if (isErrorKind(error, "not-found")) this.ids.delete(name);
      throw failure(label, name, errorText(error), error);
    }
  }

  /** Output that was cut is an error, as in core's other backends: a part of it must not pass for all of it. */
  async command(name: string, label: string, request: CommandRequest): Promise<CommandEnd> {
    const end = await this.on(name, label, (driver, id) => runCommand(driver, id, request));
    if (!end.groupGone) {
      const { message } = failure(label, name, "the machine did not confirm that the command ended");
      this.report({ category: "sandbox_exec", code: "command_may_still_run", message });
    }
    if (end.isCut)
      throw failure(
        label,
        name,
        `truncated stream: the command ended with ${end.code}, and the end of its output was lost`,
      );
    return end;
  }

  /** One of the backend's own scripts; any status but 0 is an error. */
  async script(name: string, label: string, script: string, timeoutMs: number): Promise<CommandEnd> {
    const end = await this.command(name, label, { script, timeoutMs });
    if (end.code === 0) return end;
    const why = end.timedOut ? `timed out after ${String(timeoutMs)}ms` : `failed (${String(end.code)})`;
    const text = beginning((end.stderr || end.stdout).trim(), 200);
    throw failure(label, name, text === "" ? why : `${why}: ${text}`);
  }

  async upload(name: string, path: string, data: Uint8Array): Promise<void> {
    await this.on(name, "write", (driver, id) => driver.upload(id, path, data, {}, { timeoutMs: TRANSFER_MS }));
  }

  async download(name: string, path: string): Promise<Uint8Array | null> {
    return this.on(name, "read", (driver, id) => driver.download(id, path, { timeoutMs: TRANSFER_MS }));
  }
}

/** An error as qm's backends word theirs: what was done with which machine, and what went wrong. */
export function failure(label: string, name: string, what: string, cause?: unknown): Error {
  return new Error(`boxd ${label} ${name}: ${what}`, cause === undefined ? {} : { cause });
}
