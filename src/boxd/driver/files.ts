import { createHash, type Hash } from "node:crypto";
import { call, inOwnTime, type Operation } from "./call.ts";
import { beginning } from "./cut-text.ts";
import { BoxdDriverError, classifyError } from "./errors.ts";
import { PART_BYTES, piecesOf, removeQuietly, retryStep, runInGuest, sendParts } from "./guest.ts";
import { runToken } from "./names.ts";
import { ensureRunning } from "./power-state.ts";
import { shellQuote } from "./shell.ts";

/** Statuses of the file scripts. */
const MISSING = 44;
const NOT_A_FILE = 45;
const DAMAGED = 46;
/** gRPC status of a call that the agent does not have */
const UNIMPLEMENTED = 12;
/** One read by command: its base64 stays under 4 MiB. */
const READ_BYTES = 2 * 1024 * 1024;

/** Where a file's content comes from when it is not in memory as a whole. */
export interface FileSource {
  /** how many bytes there are; a source that has others is a `transient` error, and writes nothing */
  readonly bytes: number;
  /** them in pieces, each of `PART_BYTES` (3 MiB) at most and read when the one before has been sent; asked for once */
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/**
 * Writes a file so that a reader sees the old content or the whole new one. Parent directories are made. Every part's byte count and the
 * SHA-256 of the whole are checked in the machine before the file takes its place. `mode` is octal, default 0644; the content is private until
 * then.
 */
export async function upload(
  operation: Operation,
  id: string,
  path: string,
  content: string | Uint8Array | FileSource,
  { mode = 0o644 }: { mode?: number },
): Promise<void> {
  const target = absolute(path);
  const { bytes, pieces } = typeof content === "object" && "pieces" in content ? content : sourceOf(content);
  await ensureRunning(operation, id);
  const folder = target.slice(0, target.lastIndexOf("/")) || "/";
  // In the same directory: only then is the last step a rename.
  const dir = `${folder === "/" ? "" : folder}/.qm-deploy-${runToken()}`;
  try {
    const make = `mkdir -p ${shellQuote(folder)} && (umask 077; mkdir -p ${shellQuote(dir)})`;
    expectStatus(await runInGuest(operation, id, `make the directory of "${path}"`, make), id, path);
    const seen = { bytes: 0, sum: createHash("sha256") };
    const parts = await sendParts(operation, id, `${dir}/part`, counted(pieces(), seen));
    if (seen.bytes !== bytes)
      throw new BoxdDriverError("transient", `"${path}" was to have ${bytes} bytes, but ${seen.bytes} came`);
    const finish = finishScript(dir, target, parts, seen.sum.digest("hex"), mode);
    expectStatus(await runInGuest(operation, id, `put "${path}" in its place`, finish), id, path);
  } catch (error) {
    await removeQuietly(inOwnTime(operation, operation.times.settleMs), id, dir);
    throw error;
  }
}

function sourceOf(content: string | Uint8Array): {
  readonly bytes: number;
  readonly pieces: () => Iterable<Uint8Array>;
} {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  return { bytes: bytes.length, pieces: () => piecesOf(bytes) };
}

/** The same pieces, seen on their way. */
async function* counted(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  seen: { bytes: number; readonly sum: Hash },
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    seen.bytes += piece.length;
    seen.sum.update(piece);
    yield piece;
  }
}

/** Who takes a file as it comes. */
export interface FileSink {
  /** a longer file is an `invalid` error, before any of it is read */
  readonly mostBytes: number;
  /** takes the next piece, 3 MiB at most; what it throws ends the download */
  write(piece: Uint8Array): Promise<void>;
}

/** The most that `download` holds in memory. */
const MOST_HELD_BYTES = 1024 ** 3;

/** As `downloadTo`, the content in one, for files of up to 1 GiB. */
export async function download(operation: Operation, id: string, path: string): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  const size = await downloadTo(operation, id, path, {
    mostBytes: MOST_HELD_BYTES,
    write: async (piece) => void pieces.push(piece),
  });
  return size === null ? null : pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

/**
 * Hands over a file's content in pieces, so that no more than one is in memory; answers how many bytes there were, or null when there is no such file. A
 * directory in its place is an `invalid` error. Content that came short or grew meanwhile is an error, but then pieces of it have been handed over.
 */
export async function downloadTo(
  operation: Operation,
  id: string,
  path: string,
  sink: FileSink,
): Promise<number | null> {
  const target = absolute(path);
  await ensureRunning(operation, id);
  const quoted = shellQuote(target);
  const measure = `[ -e ${quoted} ] || exit ${MISSING}; [ -f ${quoted} ] || exit ${NOT_A_FILE}; wc -c <${quoted}`;
  const measured = await runInGuest(operation, id, `measure "${path}"`, measure);
  if (measured.exitCode === MISSING) return null;
  expectStatus(measured, id, path);
  const size = Number(measured.stdout.trim());
  if (size > sink.mostBytes)
    throw new BoxdDriverError(
      "invalid",
      `"${path}" in machine ${id} has ${size} bytes, and at most ${sink.mostBytes} are taken`,
    );
  const whole = size <= PART_BYTES ? await readWhole(operation, id, target) : "unimplemented";
  if (whole === null) return null;
  let arrived = 0;
  for await (const piece of whole === "unimplemented" ? readParts(operation, id, target, size) : [whole]) {
    arrived += piece.length;
    if (arrived > size) break;
    await sink.write(piece);
  }
  if (arrived === size) return size;
  throw new BoxdDriverError("transient", `"${path}" in machine ${id} has ${size} bytes, but ${arrived} arrived`);
}

/** Makes a directory and its parents; one that exists is fine. */
export async function makeDirectory(operation: Operation, id: string, path: string): Promise<void> {
  const target = absolute(path);
  await ensureRunning(operation, id);
  const made = await runInGuest(operation, id, `make directory "${path}"`, `mkdir -p ${shellQuote(target)}`);
  expectStatus(made, id, path);
}

/** Repeatable: when the parts are gone, the file is in its place already, or the step failed for good. */
function finishScript(dir: string, target: string, parts: number, sum: string, mode: number): string {
  const to = shellQuote(target);
  return [
    `_is() { _s=$(sha256sum <"$1") && [ "\${_s%% *}" = ${sum} ]; }`,
    `[ ! -d ${to} ] || exit ${NOT_A_FILE}`,
    `cd ${shellQuote(dir)} 2>/dev/null || { _is ${to} && exit 0; exit ${DAMAGED}; }`,
    // One after the other, as the names of many would not fit into a command line.
    `_n=0; while [ $_n -lt ${parts} ]; do cat part.$_n || exit ${DAMAGED}; _n=$((_n + 1)); done >whole && _is whole || exit ${DAMAGED}`,
    `chmod ${mode.toString(8)} whole && mv -f whole ${to} && rm -rf ${shellQuote(dir)}`,
  ].join("\n");
}

/** In one message, which it has to fit in; null where the file is gone. A copy: the SDK may answer a view into a larger buffer. */
async function readWhole(operation: Operation, id: string, path: string): Promise<Uint8Array | null | "unimplemented"> {
  const { files } = operation.client.machines;
  const what = `download "${path}" from machine ${id}`;
  try {
    const bytes = await retryStep(operation, id, () => call(operation, what, () => files.download(id, path)));
    return Uint8Array.from(bytes);
  } catch (error) {
    const { kind, grpcCode } = classifyError(error);
    if (grpcCode === UNIMPLEMENTED) return "unimplemented";
    if (kind === "not-found") return null;
    throw error;
  }
}

/** By commands, which agents without that call have as well. */
async function* readParts(operation: Operation, id: string, path: string, size: number): AsyncGenerator<Uint8Array> {
  for (let part = 0; part * READ_BYTES < size; part += 1) {
    const script = `dd if=${shellQuote(path)} bs=${READ_BYTES} skip=${part} count=1 2>/dev/null | base64`;
    const read = await runInGuest(operation, id, `read "${path}"`, script);
    expectStatus(read, id, path);
    yield Buffer.from(read.stdout, "base64");
  }
}

function expectStatus({ exitCode, stderr }: { exitCode: number; stderr: string }, id: string, path: string): void {
  if (exitCode === 0) return;
  if (exitCode === NOT_A_FILE) throw new BoxdDriverError("invalid", `"${path}" in machine ${id} is not a regular file`);
  if (exitCode === DAMAGED) throw new BoxdDriverError("transient", `"${path}" arrived damaged in machine ${id}`);
  const last = stderr.trim().split("\n").at(-1) ?? "";
  const why = last === "" ? "" : ` (${beginning(last, 200)})`;
  throw new BoxdDriverError("unknown", `"${path}" in machine ${id}: status ${exitCode}${why}`);
}

function absolute(path: string): string {
  if (path.startsWith("/") && !path.endsWith("/") && !path.includes("\0")) return path;
  throw new BoxdDriverError("invalid", `"${path.replaceAll("\0", "")}" is not the absolute path of a file`);
}
