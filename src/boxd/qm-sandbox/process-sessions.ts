import { randomUUID } from "node:crypto";
import { envOf } from "./command.ts";
import type { MachinesByName } from "./machines-by-name.ts";
import { SESSION_MS } from "./timeouts.ts";
import {
  ENDED,
  inputScript,
  listScript,
  NO_SESSION,
  readScript,
  sessionDir,
  signalScript,
  startScript,
} from "./process-scripts.ts";
import { redactCommand } from "./redact-command.ts";
import type { ProcessSession, ProcessState, ReadProcessResult, Sandbox, SandboxHandle } from "./sandbox.ts";
import { wholeCharacters } from "./utf8.ts";

type ProcessMethods = Required<
  Pick<Sandbox, "startProcess" | "readProcess" | "writeStdin" | "signalProcess" | "listProcesses">
>;

const MOST_BYTES = 64 * 1024;
const SIGNALS: ReadonlySet<string> = new Set(["TERM", "KILL", "INT", "HUP", "QUIT"]);
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Background processes that outlive the call that starts them. Their state is in the machine, so any process of qm can go on with them. */
export function processMethods(computers: MachinesByName, home: string): ProcessMethods {
  /** Runs one script of a session and turns its statuses into errors. */
  const inSession = async (
    handle: SandboxHandle,
    label: string,
    id: string,
    scriptFor: (dir: string) => string,
    more: { stdin?: string; waitMs?: number } = {},
  ): Promise<string> => {
    if (!ID.test(id)) throw new Error(`"${id}" is not a process id`);
    const { stdin, waitMs = 0 } = more;
    const script = scriptFor(sessionDir(home, id));
    const end = await computers.command(handle.id, label, {
      script,
      timeoutMs: waitMs + SESSION_MS,
      ...(stdin === undefined ? {} : { stdin }),
    });
    if (end.code === NO_SESSION) throw new Error(`no such process session: ${id}`);
    if (end.code === ENDED) throw new Error(`process session ${id} has ended`);
    if (end.code !== 0)
      throw new Error(`boxd ${label} ${handle.id}: failed (${String(end.code)}): ${end.stderr.trim().slice(0, 200)}`);
    return end.stdout;
  };
  return {
    async startProcess(handle, command, options = {}) {
      const id = randomUUID();
      const script = startScript(sessionDir(home, id), options.cwd ?? handle.rootDir);
      // A command that is all blank would be no input at all.
      const request = { script, stdin: `${command}\n`, env: envOf(handle, options.env), timeoutMs: SESSION_MS };
      const end = await computers.command(handle.id, "start process", request);
      if (end.code !== 0)
        throw new Error(
          `boxd start process ${handle.id}: failed (${String(end.code)}): ${end.stderr.trim().slice(0, 200)}`,
        );
      return { processId: id };
    },
    async readProcess(handle, id, options = {}) {
      const cursor = whole(options.sinceCursor ?? 0, 0);
      const waitMs = whole(options.waitMs ?? 0, 0);
      const most = whole(options.maxBytes ?? MOST_BYTES, 1);
      return readAnswer(
        await inSession(handle, "read process", id, (dir) => readScript(dir, cursor, most, waitMs), { waitMs }),
        cursor,
      );
    },
    async writeStdin(handle, id, data) {
      if (data !== "") await inSession(handle, "write to process", id, inputScript, { stdin: data });
    },
    async signalProcess(handle, id, signal) {
      const name = signal.toUpperCase().replace(/^SIG/, "");
      if (!SIGNALS.has(name)) throw new Error(`unsupported signal: ${signal}`);
      await inSession(handle, "signal process", id, (dir) => signalScript(dir, name));
    },
    async listProcesses(handle) {
      const { stdout } = await computers.script(handle.id, "list processes", listScript(home), SESSION_MS);
      return stdout
        .split("\n")
        .map((line) => listed(line, handle.env))
        .filter((session) => session !== undefined);
    },
  };
}

/**
 * Whole characters only: a character that the limit cut, or that the process has written half of, is left for the next read. Once the process has ended and
 * everything is read, its rest is given as it is.
 */
function readAnswer(text: string, cursor: number): ReadProcessResult {
  const lineEnd = text.indexOf("\n");
  const [count = "", size = "", code = ""] = text.slice(0, lineEnd).split(" ");
  const bytes = Buffer.from(text.slice(lineEnd + 1), "base64");
  if (!/^\d+$/.test(count) || !/^\d+$/.test(size) || bytes.length !== Number(count))
    throw new Error("the machine's answer about a process is cut off");
  const status = stateOf(code);
  const last = status.state === "exited" && cursor + bytes.length >= Number(size);
  const taken = last ? bytes.length : wholeCharacters(bytes);
  return { chunks: bytes.subarray(0, taken).toString("utf8"), cursor: cursor + taken, status };
}

function listed(line: string, env: SandboxHandle["env"]): ProcessSession | undefined {
  const [processId = "", started = "", code = "", command = ""] = line.split(" ");
  if (!ID.test(processId)) return undefined;
  const text = Buffer.from(command, "base64").toString("utf8").replace(/\n$/, "");
  return { processId, startedAt: Number(started) * 1000, status: stateOf(code), command: redactCommand(text, env) };
}

function stateOf(code: string): ProcessState {
  return code === "-" ? { state: "running" } : { state: "exited", code: Number(code) };
}

function whole(value: number, least: number): number {
  return Math.max(least, Math.trunc(value) || 0);
}
