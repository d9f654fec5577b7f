import { createHash } from "node:crypto";
import type { Deadline } from "./deadline.ts";
import { call, type DriverContext } from "./call.ts";
import { BoxdDriverError, classifyError } from "./errors.ts";
import { runInGuest, PART_BYTES, removeQuietly, repeatable, sendParts } from "./guest.ts";
import { runToken } from "./names.ts";
import { shellQuote } from "./shell.ts";
import { wake } from "./wake.ts";

/** Statuses of the file scripts. */
const MISSING = 44;
const NOT_A_FILE = 45;
const DAMAGED = 46;
/** gRPC status of a call that the agent does not have */
const UNIMPLEMENTED = 12;
/** One read by command: its base64 stays under 4 MiB. */
const READ_BYTES = 2 * 1024 * 1024;

/**
 * Writes a file so that a reader sees the old content or the whole new one. Parent directories are made. Every part's byte count and the
 * SHA-256 of the whole are checked in the machine before the file takes its place. `mode` is octal, default 0644; the content is private until then.
 */
export async function upload(
  context: DriverContext,
  id: string,
  path: string,
  content: string | Uint8Array,
  options: { mode?: number },
  budget: Deadline,
): Promise<void> {
  const target = absolute(path);
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  await wake(context, id, budget);
  const folder = target.slice(0, target.lastIndexOf("/")) || "/";
  // In the same directory: only then is the last step a rename.
  const dir = `${folder === "/" ? "" : folder}/.qm-deploy-${runToken()}`;
  try {
    const make = `mkdir -p ${shellQuote(folder)} && (umask 077; mkdir -p ${shellQuote(dir)})`;
    expectStatus(await runInGuest(context, id, `make the directory of "${path}"`, make, budget), id, path);
    const parts = await sendParts(context, id, `${dir}/part`, bytes, budget);
    const finish = finishScript(dir, target, parts, sha256(bytes), options.mode ?? 0o644);
    expectStatus(await runInGuest(context, id, `put "${path}" in its place`, finish, budget), id, path);
  } catch (error) {
    await removeQuietly(context, id, dir);
    throw error;
  }
}

/** The file's content, or null when there is no such file. A directory in its place is an `invalid` error; a short answer is an error, never content. */
export async function download(
  context: DriverContext,
  id: string,
  path: string,
  budget: Deadline,
): Promise<Uint8Array | null> {
  const target = absolute(path);
  await wake(context, id, budget);
  const quoted = shellQuote(target);
  const measure = `[ -e ${quoted} ] || exit ${MISSING}; [ -f ${quoted} ] || exit ${NOT_A_FILE}; wc -c <${quoted}`;
  const measured = await runInGuest(context, id, `measure "${path}"`, measure, budget);
  if (measured.exitCode === MISSING) return null;
  expectStatus(measured, id, path);
  const size = Number(measured.stdout.trim());
  const bytes =
    size <= PART_BYTES
      ? await readWhole(context, id, target, size, budget)
      : await readParts(context, id, target, size, budget);
  if (bytes === null) return null;
  if (bytes.length !== size) {
    throw new BoxdDriverError(
      { kind: "transient" },
      `"${path}" in machine ${id} has ${size} bytes, but ${bytes.length} arrived`,
    );
  }
  return bytes;
}

/** Makes a directory and its parents; one that exists is fine. */
export async function makeDirectory(context: DriverContext, id: string, path: string, budget: Deadline): Promise<void> {
  const target = absolute(path);
  await wake(context, id, budget);
  expectStatus(
    await runInGuest(context, id, `make directory "${path}"`, `mkdir -p ${shellQuote(target)}`, budget),
    id,
    path,
  );
}

/** Repeatable: when the parts are gone, the file is in its place already, or the step failed for good. */
function finishScript(dir: string, target: string, parts: number, sum: string, mode: number): string {
  const files = Array.from({ length: parts }, (_, part) => `part.${part}`).join(" ");
  const to = shellQuote(target);
  return [
    `_is() { _s=$(sha256sum <"$1") && [ "\${_s%% *}" = ${sum} ]; }`,
    `[ ! -d ${to} ] || exit ${NOT_A_FILE}`,
    `cd ${shellQuote(dir)} 2>/dev/null || { _is ${to} && exit 0; exit ${DAMAGED}; }`,
    `cat ${files} >whole && _is whole || exit ${DAMAGED}`,
    `chmod ${mode.toString(8)} whole && mv -f whole ${to} && rm -rf ${shellQuote(dir)}`,
  ].join("\n");
}

/** In one message, while it fits; by commands where the agent is too old for that. A copy: the SDK may answer a view into a larger buffer. */
async function readWhole(
  context: DriverContext,
  id: string,
  path: string,
  size: number,
  budget: Deadline,
): Promise<Uint8Array | null> {
  const what = `download "${path}" from machine ${id}`;
  try {
    return Uint8Array.from(
      await repeatable(context, id, budget, () =>
        call(context, budget, what, () => context.client.machines.files.download(id, path)),
      ),
    );
  } catch (error) {
    const { kind, grpcCode } = classifyError(error);
    if (grpcCode === UNIMPLEMENTED) return readParts(context, id, path, size, budget);
    if (kind === "not-found") return null;
    throw error;
  }
}

async function readParts(
  context: DriverContext,
  id: string,
  path: string,
  size: number,
  budget: Deadline,
): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for (let part = 0; part * READ_BYTES < size; part += 1) {
    const script = `dd if=${shellQuote(path)} bs=${READ_BYTES} skip=${part} count=1 2>/dev/null | base64`;
    const read = await runInGuest(context, id, `read "${path}"`, script, budget);
    expectStatus(read, id, path);
    parts.push(Buffer.from(read.stdout, "base64"));
  }
  return Buffer.concat(parts);
}

function expectStatus(result: { exitCode: number; stderr: string }, id: string, path: string): void {
  if (result.exitCode === 0) return;
  if (result.exitCode === NOT_A_FILE)
    throw new BoxdDriverError({ kind: "invalid" }, `"${path}" in machine ${id} is not a regular file`);
  if (result.exitCode === DAMAGED)
    throw new BoxdDriverError({ kind: "transient" }, `"${path}" arrived damaged in machine ${id}`);
  const last = result.stderr.trim().split("\n").at(-1) ?? "";
  throw new BoxdDriverError(
    { kind: "unknown" },
    `"${path}" in machine ${id}: status ${result.exitCode}${last === "" ? "" : ` (${last.slice(0, 200)})`}`,
  );
}

function absolute(path: string): string {
  if (path.startsWith("/") && !path.endsWith("/") && !path.includes("\0")) return path;
  throw new BoxdDriverError({ kind: "invalid" }, `"${path.replaceAll("\0", "")}" is not the absolute path of a file`);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
