import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { compareText } from "../base/text-order.ts";
import type { TreeEntry } from "../deployment/inputs.ts";
import { entryKind } from "../workspace/directory-tree.ts";
import { isInside, withSlashes } from "../workspace/paths.ts";
import { readOptionalTextFile } from "../workspace/read-file.ts";
import { writeFileAtomically } from "../workspace/write-file.ts";
import { PublishError } from "./publish-error.ts";

/** The directory that docker is given to build from. */
export interface BuildContext {
  /** Absolute, without links. */
  readonly path: string;
  /** Everything below it, sorted by path; `name` is relative to the context, with `/`. */
  readonly entries: readonly ContextEntry[];
}

type ContextEntry = { readonly name: string; readonly path: string; readonly kind: TreeEntry["kind"] };

/** For a `sandbox/` that has neither tool nor Dockerfile. */
export function nothingToBuild(): PublishError {
  const help = "add a tool below sandbox/tools, or a sandbox/Dockerfile";
  return new PublishError("`sandbox/` holds nothing to build", help);
}

/**
 * Looks through `sandbox/`.
 *
 * @throws {PublishError} also for a link that leads out of it: its target is no part of the image, or of this deployment
 */
export function readContext(directory: string): BuildContext {
  const given = join(directory, "sandbox");
  const stats = lstatSync(given, { throwIfNoEntry: false });
  if (stats === undefined) throw nothingToBuild();
  const help = "make it one; a link to a directory elsewhere is not followed";
  if (!stats.isDirectory()) throw new PublishError("`sandbox/` is no directory", help);
  const root = realpathSync(given);
  const entries = [...walk(root, root)];
  const outside = entries.find(({ kind, path }) => kind === "symlink" && !isInside(targetOf(path), root));
  if (outside === undefined) return { path: root, entries };
  const message = `the link \`sandbox/${outside.name}\` leads out of \`sandbox/\``;
  throw new PublishError(message, "put what it leads to into `sandbox/`, or remove it");
}

function* walk(directory: string, root: string): Iterable<ContextEntry> {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  for (const entry of entries) {
    const path = join(directory, entry.name);
    const kind = entryKind(entry);
    yield { name: withSlashes(relative(root, path)), path, kind };
    if (kind === "directory") yield* walk(path, root);
  }
}

/** Where a link leads in the end; where it dangles, where it points to. */
function targetOf(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return resolve(dirname(link), readlinkSync(link));
  }
}

/** Twelve hexadecimal digits that differ where the Dockerfile or anything in the context does. */
export function fingerprint({ entries }: BuildContext, dockerfile: string): string {
  const hash = createHash("sha256");
  const add = (content: string | Buffer): void => void hash.update(`${Buffer.byteLength(content)}:`).update(content);
  add(dockerfile);
  for (const { name, path, kind } of entries) {
    add(`${kind} ${name}`);
    if (kind === "symlink") add(readlinkSync(path));
    if (kind !== "file") continue;
    add((lstatSync(path).mode & 0o111) === 0 ? "" : "x");
    add(readFileSync(path));
  }
  return hash.digest("hex").slice(0, 12);
}

/** Runs work with a directory of its own, readable by this user alone and gone afterwards. */
export async function withBuildDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "qm-deploy-sandbox-")));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const IGNORE_NAME = "Dockerfile.dockerignore";

/**
 * Writes a Dockerfile into a directory outside of its context; gives back its path. What BuildKit looks for beside it,
 * the ignore file of its own that is used before `.dockerignore`, comes along.
 */
export function writeDockerfile(directory: string, dockerfile: string, context: string): string {
  const path = join(directory, "Dockerfile");
  writeFileAtomically(path, dockerfile, { root: directory });
  const ignore = readOptionalTextFile(join(context, IGNORE_NAME), IGNORE_NAME)?.file;
  if (ignore !== undefined) writeFileAtomically(join(directory, IGNORE_NAME), ignore.text, { root: directory });
  return path;
}
