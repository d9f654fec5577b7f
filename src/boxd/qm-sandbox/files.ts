import { randomUUID } from "node:crypto";
import { shellQuote } from "../driver/index.ts";
import type { MachinesByName } from "./machines-by-name.ts";
import { EXTRACT_MS, PREPARE_MS } from "./timeouts.ts";
import { inside, relative } from "./paths.ts";
import type { Sandbox, SandboxHandle } from "./sandbox.ts";
import { makeTar, type TarFile } from "./tar.ts";

/** Files of the workspace: reads and writes are the driver's (atomic, checked), the rest are small scripts. */
export function fileMethods(machines: MachinesByName) {
  // Async, so that a path which leads out is a rejection like every other failure.
  const readFileBytes = async (handle: SandboxHandle, path: string): Promise<Uint8Array | null> =>
    machines.download(handle.id, inside(handle.rootDir, path));
  const writeFileBytes = async (handle: SandboxHandle, path: string, data: Uint8Array): Promise<void> =>
    machines.upload(handle.id, inside(handle.rootDir, path), data);
  return {
    readFileBytes,
    writeFileBytes,
    async readFile(handle, path) {
      const bytes = await readFileBytes(handle, path);
      return bytes === null ? null : Buffer.from(bytes).toString("utf8");
    },
    writeFile: (handle, path, data) => writeFileBytes(handle, path, Buffer.from(data, "utf8")),
    listDir: (handle, path) => listFiles(machines, handle, path),
    async removeDir(handle, path) {
      const clean = relative(path);
      if (clean === "") return;
      await machines.script(handle.id, "remove", `rm -rf -- ${shellQuote(inside(handle.rootDir, clean))}`, PREPARE_MS);
    },
    extractFiles: (handle, entries) => extractInto(machines, handle.id, handle.rootDir, entries),
  } satisfies Partial<Sandbox>;
}

/** Unpacks files below an absolute directory by one transfer and one command. Files that exist are replaced. */
export async function extractInto(machines: MachinesByName, name: string, dir: string, entries: readonly TarFile[]) {
  if (entries.length === 0) return;
  const files = entries.map(({ path, data }) => ({ path: relative(path), data }));
  const nameless = files.findIndex(({ path }) => path === "");
  if (nameless >= 0) throw new Error(`"${entries[nameless]?.path ?? ""}" is not the path of a file`);
  const archive = `${dir}/.extract-${randomUUID()}.tar`;
  await machines.upload(name, archive, await makeTar(files));
  const quoted = shellQuote(archive);
  const script = `cd ${shellQuote(dir)} && tar -xf ${quoted}; _c=$?; rm -f ${quoted}; exit $_c`;
  await machines.script(name, "extract", script, EXTRACT_MS);
}

/** Regular files below `path`, relative to the workspace, sorted; none when there is no such directory or it cannot be listed. */
async function listFiles(machines: MachinesByName, handle: SandboxHandle, path: string): Promise<string[]> {
  const start = relative(path);
  // A name may hold a newline, and may begin with a hyphen.
  const script = `cd ${shellQuote(handle.rootDir)} && find ${shellQuote(start === "" ? "." : `./${start}`)} -type f -print0`;
  try {
    const { stdout } = await machines.script(handle.id, "list", script, PREPARE_MS);
    return stdout
      .split("\0")
      .filter((name) => name !== "")
      .map((name) => name.replace(/^\.\//, ""))
      .sort();
  } catch {
    return [];
  }
}
