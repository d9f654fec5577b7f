import { spawn, spawnSync, type ChildProcess, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { dirname } from "node:path";
import type { Readable, Writable } from "node:stream";
import { grpcError } from "./errors.ts";
import { MESSAGE_CAP, tooLarge } from "./files.ts";
import type { ProcessTable } from "./processes.ts";
import { GUEST_BOOT_ID, GUEST_HOME, GuestText, toHost, type PathMap } from "./remap.ts";

/** What one finished command left, before the client decodes it. */
export interface Finished {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** -1 when the machine went away under the command */
  readonly exitCode: number;
}

/** What connects a command with its caller. */
export interface Streams {
  /** what the command reads; without one it reads the end at once, for the SDK closes its half of the call */
  readonly input?: AsyncIterable<Uint8Array>;
  /** told what the command writes, as it comes */
  readonly output?: (bytes: Buffer, isStderr: boolean) => void;
  /** the caller has gone, and that ends the command: TERM for its process group, KILL a moment later */
  readonly abandoned?: AbortSignal;
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

/** Between TERM and KILL, in real milliseconds. */
const GRACE_MS = 300;

/**
 * Runs a command line with the machine's `sh`, in a session of its own. It ends when both streams are closed, not when the shell exits:
 * a background process that holds them keeps the call open.
 */
export async function runCommand(place: ExecPlace, command: string, streams: Streams = {}): Promise<Finished> {
  if (Buffer.byteLength(command) > MESSAGE_CAP) throw tooLarge(Buffer.byteLength(command));
  const { map, powerLost } = place;
  const child = start(place, command);
  if (child.pid !== undefined) place.processes.track(child.pid);
  return await new Promise((resolve, reject) => {
    const written = { out: [] as Buffer[], err: [] as Buffer[] };
    const relay = (from: Readable, isStderr: boolean): (() => void) => {
      const text = new GuestText(map);
      const pass = (bytes: Buffer): void => {
        if (bytes.length === 0) return;
        written[isStderr ? "err" : "out"].push(bytes);
        streams.output?.(bytes, isStderr);
      };
      from.on("data", (chunk: Buffer) => {
        pass(text.push(chunk));
      });
      return () => {
        pass(text.rest());
      };
    };
    const rests = [relay(child.stdout, false), relay(child.stderr, true)];
    const finish = (exitCode: number): void => {
      child.stdin.destroy();
      powerLost.removeEventListener("abort", lost);
      for (const rest of rests) rest();
      resolve({ stdout: Buffer.concat(written.out), stderr: Buffer.concat(written.err), exitCode });
    };
    const lost = (): void => {
      finish(-1);
    };
    // The command may end without reading its input.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      reject(startFailure(error));
    });
    child.on("close", (code, signal) => {
      finish(powerLost.aborted ? -1 : (code ?? signalStatus(signal)));
    });
    streams.abandoned?.addEventListener("abort", () => {
      endGroup(child);
    });
    powerLost.addEventListener("abort", lost, { once: true });
    void feed(child.stdin, streams.input);
  });
}

async function feed(stdin: Writable, input: AsyncIterable<Uint8Array> | undefined): Promise<void> {
  try {
    for await (const bytes of input ?? []) {
      if (!stdin.writable) return;
      if (!stdin.write(bytes)) await Promise.race([once(stdin, "drain"), once(stdin, "close")]);
    }
  } catch {
    // The caller is gone, which is `abandoned`'s to deal with.
  }
  stdin.end();
}

function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return;
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // Nothing of the group is left.
    }
  };
  signal("SIGTERM");
  setTimeout(signal, GRACE_MS, "SIGKILL").unref();
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
    // The machine's user is not root, whose tar would keep the owners that an archive names.
    TAR_OPTIONS: "--no-same-owner",
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
