import { randomUUID } from "node:crypto";
import { beginning, redact } from "../driver/index.ts";
import { envOf, type CommandRequest } from "./command.ts";
import { failure, type MachinesByName } from "./machines-by-name.ts";
import * as scripts from "./process-scripts.ts";
import type { ProcessSession, ProcessState, ReadProcessResult, Sandbox, SandboxHandle } from "./sandbox.ts";
import { SESSION_MS } from "./timeouts.ts";

const MOST_BYTES = 64 * 1024;
const SIGNALS: ReadonlySet<string> = new Set(["TERM", "KILL", "INT", "HUP", "QUIT"]);
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Background processes that outlive the call that starts them. Their state is in the machine, so any process of qm can go on with them. */
export function processMethods(machines: MachinesByName, home: string) {
  const dirOf = (id: string): string => {
    if (!ID.test(id)) throw new Error(`"${id}" is not a process id`);
    return scripts.sessionDir(home, id);
  };
  return {
    async startProcess(handle, command, options = {}) {
      const id = randomUUID();
      const script = scripts.startScript(scripts.sessionDir(home, id), options.cwd ?? handle.rootDir);
      // A command that is all blank would be no input at all.
      const request = { script, stdin: `${command}\n`, env: envOf(handle, options.env), timeoutMs: SESSION_MS };
      await runScript(machines, handle, "start process", id, request);
      return { processId: id };
    },
    async readProcess(handle, id, options = {}) {
      const cursor = whole(options.sinceCursor ?? 0, 0);
      const waitMs = whole(options.waitMs ?? 0, 0);
      const most = whole(options.maxBytes ?? MOST_BYTES, 1);
      const request = { script: scripts.readScript(dirOf(id), cursor, most, waitMs), timeoutMs: waitMs + SESSION_MS };
      return readAnswer(await runScript(machines, handle, "read process", id, request), cursor);
    },
    async writeStdin(handle, id, data) {
      if (data === "") return;
      const request = { script: scripts.inputScript(dirOf(id)), stdin: data, timeoutMs: SESSION_MS };
      await runScript(machines, handle, "write to process", id, request);
    },
    async signalProcess(handle, id, signal) {
      const name = signal.toUpperCase().replace(/^SIG/, "");
      if (!SIGNALS.has(name)) throw new Error(`unsupported signal: ${signal}`);
      const request = { script: scripts.signalScript(dirOf(id), name), timeoutMs: SESSION_MS };
      await runScript(machines, handle, "signal process", id, request);
    },
    async listProcesses(handle) {
      const { stdout } = await machines.script(handle.id, "list processes", scripts.listScript(home), SESSION_MS);
      return stdout
        .split("\n")
        .map((line) => listed(line, handle.env))
        .filter((session) => session !== undefined);
    },
  } satisfies Partial<Sandbox>;
}

async function runScript(
  machines: MachinesByName,
  { id: name }: SandboxHandle,
  label: string,
  session: string,
  request: CommandRequest,
): Promise<string> {
  const { code, stdout, stderr } = await machines.command(name, label, request);
  if (code === scripts.NO_SESSION) throw new Error(`no such process session: ${session}`);
  if (code === scripts.ENDED) throw new Error(`process session ${session} has ended`);
  if (code !== 0) throw failure(label, name, `failed (${String(code)}): ${beginning(stderr.trim(), 200)}`);
  return stdout;
}

/**
 * Whole characters only: a character that the limit cut, or that the process has written half of, is left for the next read. Once the process
 * has ended and everything is read, its rest is given as it is.
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

/**
 * How many bytes from the start are whole UTF-8 characters. The beginning of a character that is all there is counts as whole, so that somebody
 * who reads in pieces gets on even with a limit below the size of a character.
 */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const continues = (byte & 0xc0) === 0x80;
    if (continues) continue;
    return characterLength(byte) > back && back < bytes.length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes of the character that begins with this byte; 1 for one that begins none. */
function characterLength(first: number): number {
  if (first >= 0xf8) return 1;
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

function listed(line: string, env: SandboxHandle["env"]): ProcessSession | undefined {
  const [processId = "", started = "", code = "", command = ""] = line.split(" ");
  if (!ID.test(processId)) return undefined;
  const text = Buffer.from(command, "base64").toString("utf8").replace(/\n$/, "");
  return { processId, startedAt: Number(started) * 1000, status: stateOf(code), command: redactCommand(text, env) };
}

const SECRET_NAME = /PASS|SECRET|TOKEN|KEY|CREDENTIAL|AUTH|PROXY/i;

/** Places in a command line where a secret stands in the open; the first group is kept. */
const SECRET_PLACES: readonly RegExp[] = [
  /(--?(?:token|password|passwd|secret|client[-_]?secret|api[-_]?key|auth)[ =])(?:"[^"]*"|'[^']*'|\S+)/gi,
  /(?<!\w)((?=\w*(?:PASS|SECRET|TOKEN|KEY|CREDENTIAL))\w+=)(?:"[^"]*"|'[^']*'|[^\s;&|]+)/gi,
  /(\b(?:Bearer|Basic) )[A-Za-z0-9._~+/=-]+/gi,
  /(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
  /((?:echo|printf)\s+(?:%s\s+)?)(?:"[^"]*"|'[^']*'|\S+)(?=\s*\|[^|]*--(?:with-token|password-stdin))/gi,
];

/** A command for a listing: the handle's secret values and what looks like a secret masked, at most 500 characters. */
export function redactCommand(command: string, env: Readonly<Record<string, string>> = {}): string {
  const values = Object.entries(env)
    .filter(([name]) => SECRET_NAME.test(name))
    .map(([, value]) => value);
  let text = redact(command, values);
  for (const place of SECRET_PLACES) text = text.replace(place, "$1[redacted]");
  return beginning(text, 500);
}

function stateOf(code: string): ProcessState {
  return code === "-" ? { state: "running" } : { state: "exited", code: Number(code) };
}

function whole(value: number, least: number): number {
  return Math.max(least, Math.trunc(value) || 0);
}
