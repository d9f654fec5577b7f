import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { constants } from "node:os";
import { dirname } from "node:path";
import { grpcError } from "./errors.ts";
import { MESSAGE_CAP } from "./files.ts";
import type { ProcessTable } from "./processes.ts";
import { GUEST_BOOT_ID, GUEST_HOME, toGuest, toHost, type PathMap } from "./remap.ts";

/** What one finished command left, before the client decodes it. */
export interface Finished {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** -1 when the machine went away under the command */
  readonly exitCode: number;
}

/** Where and how commands of one machine run. */
export interface ExecPlace {
  readonly processes: ProcessTable;
  readonly map: PathMap;
  readonly bin: string;
  /** see `PlaneOptions.mounts` */
  readonly mounts: boolean;
  /** set once the machine's power is gone: what ends then has no exit status */
  readonly powerLost: AbortSignal;
}

/**
 * Runs a command line with the machine's `sh`, in a session of its own. It ends when both streams are closed, not when the shell exits:
 * a background process that holds them keeps the call open. Its standard input stays open and silent, so a command that reads it waits.
 */
export async function runCommand(place: ExecPlace, command: string, abandoned?: AbortSignal): Promise<Finished> {
  if (Buffer.byteLength(command) > MESSAGE_CAP) {
    throw grpcError(
      8,
      `Received message larger than max (${String(Buffer.byteLength(command))} vs ${String(MESSAGE_CAP)})`,
    );
  }
  const { map, powerLost } = place;
  const child = start(place, command);
  if (child.pid !== undefined) place.processes.track(child.pid);
  return await new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const finish = (exitCode: number): void => {
      child.stdin.destroy();
      powerLost.removeEventListener("abort", lost);
      resolve({ stdout: toGuest(Buffer.concat(out), map), stderr: toGuest(Buffer.concat(err), map), exitCode });
    };
    const lost = (): void => {
      finish(-1);
    };
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    // The command may end without reading its input.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      reject(startFailure(error));
    });
    child.on("close", (code, signal) => {
      finish(powerLost.aborted ? -1 : (code ?? signalStatus(signal)));
    });
    abandoned?.addEventListener("abort", () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    });
    powerLost.addEventListener("abort", lost, { once: true });
  });
}

function start(place: ExecPlace, command: string): ChildProcessWithoutNullStreams {
  const { map, mounts } = place;
  const [program, ...args] = mounts
    ? [...ownMounts, "/bin/sh", "-ec", MOUNT_SCRIPT, "mount", dirname(map.home), command]
    : ["/bin/sh", "-c", toHost(command, map)];
  try {
    return spawn(program as string, args, { cwd: map.home, env: environment(place), detached: true, stdio: "pipe" });
  } catch (error) {
    throw startFailure(error as NodeJS.ErrnoException);
  }
}

/** A program with mounts of its own; who is not root becomes root of a namespace. */
const ownMounts = ["unshare", "--mount", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"])];
const MACHINE = "/home/.machine";
/** The machine's directories in the places that they stand for; /tmp is the last, as they lie in the real one. */
const MOUNT_SCRIPT = `
mount -t tmpfs none /home && mkdir ${GUEST_HOME} ${MACHINE}
mount --bind "$1" ${MACHINE} && mount --bind "$1/home" ${GUEST_HOME}
mount --bind "$1/boot_id" ${GUEST_BOOT_ID} && mount --bind "$1/tmp" /tmp
cd && exec /bin/sh -c "$2"`;

/** Whether machines can have mounts of their own here. */
export function mountsSupported(): boolean {
  const [program, ...args] = ownMounts;
  return spawnSync(program as string, [...args, "mount", "-t", "tmpfs", "none", "/home"]).status === 0;
}

function environment({ map, bin, mounts, processes }: ExecPlace): NodeJS.ProcessEnv {
  const [home, tmp, own] = mounts ? [GUEST_HOME, "/tmp", `${MACHINE}/bin`] : [map.home, map.tmp, bin];
  return {
    HOME: home,
    TMPDIR: tmp,
    USER: "boxd",
    LOGNAME: "boxd",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    PATH: `${own}:/usr/sbin:/usr/bin:/sbin:/bin`,
    ...processes.mark,
  };
}

/** A command line of more than 128 KiB cannot be one argument of `sh`. */
function startFailure(error: NodeJS.ErrnoException): Error {
  return error.code === "E2BIG"
    ? grpcError(13, "exec: argument list too long")
    : grpcError(13, `exec: ${error.message}`);
}

function signalStatus(signal: NodeJS.Signals | null): number {
  return signal === null ? -1 : 128 + constants.signals[signal];
}
