/** Directory trees as tar archives, made and unpacked on the host by its own `tar`, which the host itself uses for the same. */
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, writeFile, type FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { refusal } from "./errors.ts";

/** What an archive without entries is: two empty blocks. `tar` itself refuses to make one. */
const EMPTY = Buffer.alloc(1024);
/** Left out of every archive: what macOS keeps beside files. */
const ALWAYS_EXCLUDED = ["._*"];

export interface PackOptions {
  /** globs as `tar --exclude` takes them */
  readonly exclude: readonly string[];
  /** the files that links lead to, in the place of the links */
  readonly followSymlinks: boolean;
  /** of the archive */
  readonly mostBytes: number;
}

/** Arguments of `tar` that leave these out. */
export function excludeArguments(exclude: readonly string[]): string[] {
  return [...ALWAYS_EXCLUDED, ...exclude].map((pattern) => `--exclude=${pattern}`);
}

/**
 * Writes an archive of what is in a directory, into a new file. The directory is no entry itself: whoever unpacks need not own the place where it goes. Refused
 * where it becomes longer than `mostBytes`, of which no more is written.
 */
export async function packDirectory(
  directory: string,
  archive: string,
  { exclude, followSymlinks, mostBytes }: PackOptions,
): Promise<void> {
  const names = (await readdir(directory)).map((name) => `./${name}`);
  if (names.length === 0) return writeFile(archive, EMPTY);
  const links = followSymlinks ? ["-h"] : [];
  const options = ["-c", "-f", "-", ...links, ...excludeArguments(exclude), "-C", directory];
  let bytes = 0;
  async function* limited(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > mostBytes)
        throw refusal(`the archive of "${directory}" has more than the ${mostBytes} bytes that are sent`);
      yield piece;
    }
  }
  // The names on its input: a command line takes no more than 2 MiB of them.
  await tar([...options, "--null", "-T", "-"], {
    names: names.join("\0"),
    take: (output) => pipeline(output, limited, createWriteStream(archive, { flags: "wx", mode: 0o600 })),
  });
}

/**
 * Puts the tree of an archive file in the place of a directory, which may exist. The archive comes from a machine that an agent worked on, so it is judged first: what would
 * land outside the directory, and what is neither file, directory nor link, is refused.
 */
export async function unpackDirectory(archive: string, directory: string): Promise<void> {
  await assertContained(archive);
  const fresh = `${directory}.${crypto.randomUUID()}`;
  const old = `${directory}.${crypto.randomUUID()}`;
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  try {
    const unpack = ["-x", "-f", "-", "--no-same-owner", "--no-same-permissions", "-C", fresh];
    const input = await open(archive);
    await tar(unpack, { input }).finally(() => input.close());
    await rename(directory, old).catch(ignoreMissing);
    await rename(fresh, directory).catch(async (error: unknown) => {
      // What was there goes back; where that cannot be either, it stays beside it.
      await rename(old, directory).catch(() => undefined);
      throw error;
    });
    await rm(old, { recursive: true, force: true });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

const ENTRY_TYPES: ReadonlySet<string> = new Set(["file", "contiguous-file", "directory", "symlink", "link"]);

/** Throws when an entry would be written outside the tree: by its name, through a link of the same archive, or as a second name of another file. */
async function assertContained(archive: string): Promise<void> {
  const links = new Set<string>();
  const reader = extract();
  // Closes the file however this ends; what fails shows where entries are read.
  pipeline(createReadStream(archive), reader).catch(() => undefined);
  for await (const entry of reader) {
    entry.resume();
    const { name, type, linkname } = entry.header;
    if (!ENTRY_TYPES.has(type ?? ""))
      throw refusal(`the machine's archive holds a ${String(type)}, which is not unpacked`);
    const path = insideParts(name);
    const target = type === "link" ? insideParts(linkname ?? "") : [];
    const throughLink = [...parents(path), ...parents(target)].some((parent) => links.has(parent));
    if (throughLink || links.has(target.join("/")))
      throw refusal("the machine's archive writes through a link, so it is not unpacked");
    if (type === "symlink") links.add(path.join("/"));
  }
}

/** The parts of a relative path that stays inside. */
function insideParts(name: string): string[] {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (name.startsWith("/") || parts.includes(".."))
    throw refusal("the machine's archive leaves its directory, so it is not unpacked");
  return parts;
}

function parents(parts: readonly string[]): string[] {
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** Runs the host's tar. Archives are its input and output: a name with a colon would be one of another computer. */
async function tar(
  args: readonly string[],
  { names, input, take }: { names?: string; input?: FileHandle; take?: (output: Readable) => Promise<void> },
): Promise<void> {
  const child = spawn("tar", args, { stdio: [input?.fd ?? "pipe", take === undefined ? "ignore" : "pipe", "pipe"] });
  // Where it ends before it has read all, its status says why.
  child.stdin?.on("error", () => undefined).end(names);
  const status = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  try {
    const taken = take?.(child.stdout as Readable);
    const [code, problem] = await Promise.all([status, text(child.stderr as Readable), taken]);
    if (code !== 0) throw new Error(`tar on the host ended with status ${String(code)}: ${problem.trim().slice(-500)}`);
  } finally {
    child.kill();
  }
}
