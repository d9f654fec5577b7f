/** Files between the host and a lease's machine, over boxd's own file calls (docs/contract/paperclip.md#files). */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
  PluginEnvironmentSyncInParams,
  PluginEnvironmentSyncResult,
  PluginPostUploadCommand,
  PluginSyncFileMapping,
} from "@paperclipai/plugin-sdk";
import { PART_BYTES, shellQuote, type Deadline, type ExecOutcome, type MachineDriver } from "../../driver/index.ts";
import { excludeArguments, packDirectory, unpackDirectory } from "../archive.ts";
import { refusal, released } from "../errors.ts";
import { remoteCwd } from "../lease.ts";
import type { Provider } from "../provider.ts";

/** The longest file, and the longest archive of a directory, that goes either way: it fills the disk of its target (docs/paperclip.md). */
const MOST_BYTES = 4 * 1024 ** 3;

/** The parameters of both directions are the same. */
type SyncParams = PluginEnvironmentSyncInParams;

/** What one transfer works with. */
interface Transfer {
  readonly driver: MachineDriver;
  readonly id: string;
  readonly deadline: Deadline;
}

/** From the host into the machine; each operation's commands run when its files are there. The first failure ends it. */
export function syncIn(provider: Provider, params: SyncParams): Promise<PluginEnvironmentSyncResult> {
  const defaultCwd = remoteCwd(params.lease.metadata);
  return sync(provider, params, async (transfer, { files, postUploadCommands = [] }) => {
    for (const { targetPath } of files) assertInMachine(targetPath);
    for (const { cwd } of postUploadCommands) assertBelow(cwd, files);
    let bytes = 0;
    for (const file of files) bytes += await (file.kind === "directory" ? putDirectory : putFile)(transfer, file);
    for (const command of postUploadCommands) await runCommand(transfer, command, defaultCwd);
    return bytes;
  });
}

/** From the machine to the host. */
export function syncOut(provider: Provider, params: SyncParams): Promise<PluginEnvironmentSyncResult> {
  return sync(provider, params, async (transfer, { files }) => {
    for (const { sourcePath } of files) assertInMachine(sourcePath);
    let bytes = 0;
    for (const file of files) bytes += await (file.kind === "directory" ? takeDirectory : takeFile)(transfer, file);
    return bytes;
  });
}

/** Every operation in turn. It starts the machine, so it is work of the lease as a command is. */
async function sync(
  provider: Provider,
  params: SyncParams,
  apply: (transfer: Transfer, operation: SyncParams["operations"][number]) => Promise<number>,
): Promise<PluginEnvironmentSyncResult> {
  const { providerLeaseId: id, metadata } = params.lease;
  if (id === null) throw refusal("no provider lease ID available for files");
  const done = await provider.work.run(id, (signal) =>
    provider.onLease(params, metadata, async ({ driver, deadline: { totalMs } }) => {
      const transfer = { driver, id, deadline: driver.deadline(totalMs, signal) };
      const operations = [];
      for (const operation of params.operations) {
        const bytesTransferred = await apply(transfer, operation);
        const { operationId, files } = operation;
        operations.push({ operationId, filesTransferred: files.length, bytesTransferred });
      }
      return { operations };
    }),
  );
  if (done === undefined) throw released(id);
  return done;
}

async function putFile(transfer: Transfer, { sourcePath, targetPath, mode }: PluginSyncFileMapping): Promise<number> {
  const options = mode === undefined ? {} : { mode: mode & 0o7777 };
  return putFrom(transfer, sourcePath, targetPath, options, `"${sourcePath}"`);
}

/** From a file of the host, piece by piece: it may be larger than the worker's memory. `what` names it for an error. */
async function putFrom(
  { driver, id, deadline }: Transfer,
  path: string,
  target: string,
  options: { mode?: number },
  what: string,
): Promise<number> {
  const found = await stat(path);
  // Of a pipe or a device nobody knows the end.
  if (!found.isFile()) throw refusal(`${what} is not a regular file`);
  const { size: bytes } = found;
  if (bytes > MOST_BYTES) throw refusal(`${what} has ${bytes} bytes, and at most ${MOST_BYTES} are sent`);
  // What is written to it meanwhile is not sent.
  const range = { highWaterMark: PART_BYTES, end: Math.max(0, bytes - 1) };
  await driver.upload(id, target, { bytes, pieces: () => createReadStream(path, range) }, options, deadline);
  return bytes;
}

/** The tree takes the place of what is there. */
async function putDirectory(transfer: Transfer, file: PluginSyncFileMapping): Promise<number> {
  const { exclude = [], followSymlinks = false } = file;
  const staged = stagedPath(file.targetPath);
  const folder = await mkdtemp(join(tmpdir(), "qm-deploy-"));
  let bytes: number;
  try {
    const archive = join(folder, "archive.tar");
    await packDirectory(file.sourcePath, archive, { exclude, followSymlinks, mostBytes: MOST_BYTES });
    bytes = await putFrom(transfer, archive, staged, { mode: 0o600 }, `the archive of "${file.sourcePath}"`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [target, from] = [shellQuote(file.targetPath), shellQuote(staged)];
  const unpack = `rm -rf ${target} && mkdir -p ${target} && tar -xf ${from} -C ${target}`;
  await runScript(transfer, `${unpack}; status=$?; rm -f ${from}; exit $status`, `unpack "${file.targetPath}"`);
  return bytes;
}

async function takeFile(transfer: Transfer, file: PluginSyncFileMapping): Promise<number> {
  const fresh = `${file.targetPath}.${randomUUID()}`;
  try {
    // The mode from the first byte on, and never through a link that lies at the target.
    const bytes = await takeTo(transfer, file.sourcePath, fresh, file.mode ?? 0o666);
    if (bytes === null) throw refusal(`"${file.sourcePath}" is not in machine ${transfer.id}`);
    await rename(fresh, file.targetPath);
    return bytes;
  } finally {
    await rm(fresh, { force: true });
  }
}

/** Into a new file of the host, piece by piece: what an agent made may be larger than the host's memory. Null where it is not in the machine. */
async function takeTo(
  { driver, id, deadline }: Transfer,
  path: string,
  fresh: string,
  mode: number,
): Promise<number | null> {
  const handle = await open(fresh, "wx", mode);
  const sink = { mostBytes: MOST_BYTES, write: (piece: Uint8Array) => handle.writeFile(piece) };
  return driver.downloadTo(id, path, sink, deadline).finally(() => handle.close());
}

async function takeDirectory(transfer: Transfer, file: PluginSyncFileMapping): Promise<number> {
  const staged = stagedPath(file.sourcePath);
  const archive = stagedPath(file.targetPath);
  const options = [...(file.followSymlinks === true ? ["-h"] : []), ...excludeArguments(file.exclude ?? [])];
  const pack = `umask 077; tar -cf ${shellQuote(staged)} ${options.map(shellQuote).join(" ")} -C ${shellQuote(file.sourcePath)} .`;
  try {
    await runScript(transfer, pack, `pack "${file.sourcePath}"`);
    await mkdir(dirname(file.targetPath), { recursive: true });
    const bytes = await takeTo(transfer, staged, archive, 0o600);
    if (bytes === null) throw refusal(`the archive of "${file.sourcePath}" is not in machine ${transfer.id}`);
    await unpackDirectory(archive, file.targetPath);
    return bytes;
  } finally {
    await rm(archive, { force: true });
    await runScript(transfer, `rm -f ${shellQuote(staged)}`, "remove an archive").catch(() => undefined);
  }
}

/** The host's command, to the letter. */
async function runCommand(
  transfer: Transfer,
  { command, cwd, timeoutMs }: PluginPostUploadCommand,
  defaultCwd: string,
) {
  const { driver, id, deadline } = transfer;
  const within = timeoutMs === undefined ? deadline : deadline.part(timeoutMs, "a command after an upload");
  expectSuccess(
    await driver.exec(id, { command, cwd: cwd ?? defaultCwd }, within),
    "a command after an upload",
    driver,
  );
}

async function runScript({ driver, id, deadline }: Transfer, command: string, what: string): Promise<void> {
  expectSuccess(await driver.exec(id, { command }, deadline), what, driver);
}

function expectSuccess({ ended, exitCode, stderr }: ExecOutcome, what: string, driver: MachineDriver): void {
  if (exitCode === 0) return;
  const how = ended === "exit" ? `failed with exit code ${String(exitCode)}` : `was ended by ${ended}`;
  throw new Error(`${what} ${how}: ${driver.redact(stderr.trim(), [], 500)}`);
}

/** Beside what it is for, so on the same disk, and of a name that nothing else has. */
function stagedPath(path: string): string {
  return `${path}.qm-deploy-${randomUUID()}.tar`;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") && !path.split("/").includes("..");
}

function assertInMachine(path: string): void {
  if (!isAbsolute(path) || /^\/+$/.test(path))
    throw refusal(`"${path}" is not the absolute path of a file or directory`);
}

/** A command runs in a directory that its operation has brought, or in the run's own. */
function assertBelow(cwd: string | undefined, files: readonly PluginSyncFileMapping[]): void {
  if (cwd === undefined) return;
  const isBelow = files.some(({ targetPath }) => cwd === targetPath || cwd.startsWith(`${targetPath}/`));
  if (!isAbsolute(cwd) || !isBelow) throw refusal(`the working directory "${cwd}" is outside of what was uploaded`);
}
