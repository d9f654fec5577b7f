import { createReadStream, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import dockerignore from "@balena/dockerignore";
import { pack, type Pack } from "tar-stream";
import { copiedSources, DockerfileError } from "../../base/dockerfile.ts";
import { compareText } from "../../base/text-order.ts";

/** An image that is built on the machine: an absolute Dockerfile and its context. */
export interface DockerfileImage {
  readonly dockerfile: string;
  readonly contextDir: string;
}

/** A CommonJS module whose declaration says that it has a `default`; it is the function itself. */
const createIgnore = dockerignore as unknown as typeof dockerignore.default;

/** The upload holds the whole tar in memory. */
const MAX_CONTEXT_BYTES = 1024 ** 3;

const SCHEME = "dockerfile:";
const CONTEXT = "?context=";

/**
 * A name for `startContainer` that stands for a Dockerfile and its context; by default the directory above the Dockerfile's
 * (`<env>/server/Dockerfile` has `<env>`); at most 1 GiB of it is sent. Throws when either is missing, or a COPY or ADD takes something that is not in the context.
 */
export function dockerfileImage(path: string, contextDir?: string): string {
  const dockerfile = resolve(path);
  if (statSync(dockerfile, { throwIfNoEntry: false })?.isFile() !== true)
    throw new TypeError(`there is no Dockerfile "${path}"`);
  const context = resolve(contextDir ?? dirname(dirname(dockerfile)));
  if (statSync(context, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new TypeError(`there is no directory "${contextDir ?? context}"`);
  const missing = sourcesOf(dockerfile).find((source) => isMissing(context, source));
  if (missing !== undefined) throw new RangeError(`"${path}" copies "${missing}", which is not in the build context`);
  return `${SCHEME}${encodeURI(dockerfile)}${CONTEXT}${encodeURIComponent(context)}`;
}

/** What the name stands for, or null for a registry image. */
export function readDockerfileImage(image: string): DockerfileImage | null {
  if (!image.startsWith(SCHEME)) return null;
  const at = image.lastIndexOf(CONTEXT);
  try {
    if (at >= 0)
      return {
        dockerfile: decodeURI(image.slice(SCHEME.length, at)),
        contextDir: decodeURIComponent(image.slice(at + CONTEXT.length)),
      };
  } catch {
    // A `%` that encodes nothing: the same mistake.
  }
  throw new TypeError("an image that starts with `dockerfile:` must come from `imageFromDockerfile`");
}

/** What is copied from the context; nothing for a Dockerfile that docker refuses, which says so itself. */
function sourcesOf(dockerfile: string): readonly string[] {
  try {
    return copiedSources(readFileSync(dockerfile, "utf8"));
  } catch (error) {
    if (error instanceof DockerfileError) return [];
    throw error;
  }
}

/**
 * Docker counts a path from the context, with a leading slash too, and leaves `..` at its root. What holds a variable, a wildcard, a quote
 * or an escape is docker's to judge.
 */
function isMissing(context: string, source: string): boolean {
  return !/[$*?[\\"'`]/.test(source) && !existsSync(join(context, resolve("/", source)));
}

/**
 * The build context as a tar stream: what is below `contextDir` and not ignored. A symbolic link is packed as a link and never followed, so nothing
 * from outside gets in. The stream fails when a file cannot be read.
 */
export function contextTar(image: DockerfileImage): Pack {
  const tar = pack();
  const fail = (error: unknown): void => void tar.destroy(error instanceof Error ? error : new Error(String(error)));
  void fill(tar, image).catch(fail);
  return tar;
}

/** The whole stream in memory, for an upload that is checked by its length and sum. */
export async function tarBytes(tar: Pack): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Throws when the context is more than can be sent, before anything is made. Only names and sizes are read. */
export function assertSendable(image: DockerfileImage): void {
  let bytes = 0;
  for (const path of contextPaths(image)) {
    const info = lstatSync(join(image.contextDir, path));
    if (info.isFile()) bytes += info.size;
    if (bytes > MAX_CONTEXT_BYTES) {
      throw new RangeError(
        "the build context has more than 1 GiB: leave files out of it with `.dockerignore`, or name a smaller `contextDir`",
      );
    }
  }
}

async function fill(tar: Pack, image: DockerfileImage): Promise<void> {
  for (const path of contextPaths(image)) await packOne(tar, image.contextDir, path);
  tar.finalize();
}

function* contextPaths(image: DockerfileImage): Generator<string> {
  const rules = ignoreRules(image);
  // As docker does: `data` is not `Data`.
  const ignore = createIgnore({ ignorecase: false }).add(rules);
  // Below an ignored directory something may be taken back in by a `!` line.
  const prunes = !/^[ \t]*!/m.test(rules);
  for (const path of walk(image.contextDir, "", (directory) => prunes && ignore.ignores(directory))) {
    if (!ignore.ignores(path)) yield path;
  }
}

/** Docker prefers `<Dockerfile>.dockerignore` to the one of the context. */
function ignoreRules({ dockerfile, contextDir }: DockerfileImage): string {
  const file = [`${dockerfile}.dockerignore`, join(contextDir, ".dockerignore")].find((path) => existsSync(path));
  return file === undefined ? "" : readFileSync(file, "utf8").replace(/^\uFEFF/, "");
}

/** Paths below `root` with forward slashes, sorted, a directory before what is in it. */
function* walk(root: string, below: string, skips: (directory: string) => boolean): Generator<string> {
  const entries = readdirSync(join(root, below), { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && skips(path)) continue;
    yield path;
    if (entry.isDirectory()) yield* walk(root, path, skips);
  }
}

/** Sockets, pipes and devices have no place in an image. */
async function packOne(tar: Pack, root: string, name: string): Promise<void> {
  const path = join(root, name);
  const info = lstatSync(path);
  const header = { name, mode: info.mode & 0o777, mtime: info.mtime };
  if (info.isDirectory()) await packHeader(tar, { ...header, type: "directory" });
  else if (info.isSymbolicLink()) await packHeader(tar, { ...header, type: "symlink", linkname: readlinkSync(path) });
  if (!info.isFile()) return;
  const entry = tar.entry({ ...header, size: info.size, type: "file" });
  // A file that grows meanwhile is cut at the announced size; one that shrinks fails the entry.
  if (info.size === 0) entry.end(null);
  else await pipeline(createReadStream(path, { end: info.size - 1 }), entry);
}

function packHeader(tar: Pack, header: Parameters<Pack["entry"]>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry(header, (error) => (error ? reject(error) : resolve()));
  });
}
