import { buffer } from "node:stream/consumers";
import { extract, pack } from "tar-stream";
import type { BackupEntry } from "./sandbox.ts";

const BLOCK = 512;

/** A regular file of an archive; `path` is relative, with forward slashes. */
export type TarFile = Pick<BackupEntry, "path" | "data">;

/** A tar archive of regular files, mode 0644, in the given order. Long and non-ASCII names are carried as pax headers. */
export async function makeTar(files: readonly TarFile[]): Promise<Uint8Array> {
  const archive = pack();
  for (const { path, data } of files) archive.entry({ name: path, mode: 0o644 }, Buffer.from(data));
  archive.finalize();
  return buffer(archive);
}

/** The regular files of an archive. An archive that was cut off, or does not end as one must, is an error: it would look like a smaller one. */
export async function parseTar(bytes: Uint8Array): Promise<TarFile[]> {
  if (!isWhole(bytes)) throw new Error("the tar archive is truncated");
  const files: TarFile[] = [];
  const reader = extract();
  reader.end(Buffer.from(bytes));
  for await (const entry of reader) {
    const { type, name } = entry.header;
    const data = await buffer(entry);
    if (type === "file" || type === "contiguous-file") files.push({ path: name, data });
  }
  return files;
}

/** From header to header up to the two empty blocks that end an archive. Empty blocks within a file are content and prove nothing. */
function isWhole(bytes: Uint8Array): boolean {
  let at = 0;
  while (at + 2 * BLOCK <= bytes.length) {
    const header = bytes.subarray(at, at + BLOCK);
    // There is room for the second one.
    if (header.every((byte) => byte === 0)) return true;
    const size = Number.parseInt(Buffer.from(header.subarray(124, 136)).toString("latin1"), 8);
    // Sizes above 8 GiB are written in another way; such a file cannot be here.
    if (!Number.isSafeInteger(size)) return false;
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return false;
}
