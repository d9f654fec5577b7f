import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ReferenceReading } from "../envfile/index.ts";
import type { SourceFile } from "../diagnostics/source.ts";

/** A file or directory below the deployment directory; paths are relative to it, with `/`. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** Bytes; 0 for what is not a file. */
  readonly size: number;
  /** Permission bits (0o644), null where the platform has none. */
  readonly mode: number | null;
  /** Text of a file that rules read (tool.json, SKILL.md, Dockerfile); null where it was not read or is not UTF-8. */
  readonly text: string | null;
  /** False where the bytes are not valid UTF-8 text; true where `text` was not asked for. */
  readonly isText: boolean;
  /** What a symlink leads to once followed; null for others and for dangling links. */
  readonly leadsTo: "file" | "directory" | null;
  /** Why what is in it is not all known: `limit` for a directory with too much in it, `failed` for what the system did not let be read. */
  readonly unread?: "limit" | "failed";
}

/** More entries below one directory than this are not looked at: a mistaken link to a disk must not hang a check. */
export const MOST_ENTRIES = 20_000;

/** A package.json that may pin the release of qm. `relation` says where it stands. */
export interface PackageFile extends SourceFile {
  readonly relation: "own" | "parent";
}

/** The `.env` that is judged, with its permission bits. */
export interface EnvFileInput extends SourceFile {
  readonly mode: number | null;
}

/** What a path from `skills[]` leads to. */
export interface SkillsPath {
  /** As written in the config. */
  readonly written: string;
  /** `deployment`: the deployment directory itself. */
  readonly kind: "directory" | "deployment" | "other" | "missing" | "outside";
  /** What is below a directory; `root` is its path from the deployment directory. Left out where nobody looked. */
  readonly tree?: { readonly root: string; readonly entries: readonly TreeEntry[] };
}

/**
 * The facts from disk that resolving and rules need, as plain data, so that everything after this is pure.
 * Filled by `workspace/`; a browser or a test fills it by hand.
 */
export interface DeploymentInputs {
  /** `qm.config.jsonc` (or stdin). */
  readonly config: SourceFile;
  /** Name of the deployment directory for display, `.` for the working directory; null for stdin. */
  readonly directory: string | null;
  /** Null when there is none. */
  readonly envFile: EnvFileInput | null;
  /** What the operator's tools gave for references in it, by name; left out where none was asked. */
  readonly readings?: ReadonlyMap<string, ReferenceReading>;
  /** The nearest package.json files, own directory first; at most one of each relation. */
  readonly packageFiles: readonly PackageFile[];
  /** Why a package.json that is there, and may pin the release, could not be read. */
  readonly unreadPackages?: readonly Diagnostic[];
  /** Everything under `sandbox/`, empty when there is none; a `sandbox` that is a link is the one entry, itself. */
  readonly sandboxTree: readonly TreeEntry[];
  /** Everything directly under `plugins/` and in its directories' first level (Dockerfile). */
  readonly pluginsTree: readonly TreeEntry[];
  readonly skillsPaths: readonly SkillsPath[];
  /** From the command line; null where not given. */
  readonly flags: { readonly release: string | null; readonly target: string | null };
}

/** True for a directory of `sandbox/` that a clone has too: git keeps no empty one, and what is rendered must not differ there. */
export function hasFiles({ sandboxTree }: DeploymentInputs, directory: string): boolean {
  return sandboxTree.some(({ path, kind, leadsTo }) =>
    path === directory ? leadsTo === "directory" : path.startsWith(`${directory}/`) && kind !== "directory",
  );
}

/** The name that reports use for a file below the deployment directory. */
export function fileBelow({ directory }: DeploymentInputs, path: string): string {
  return directory === null || directory === "." ? path : `${directory.replace(/\/$/, "")}/${path}`;
}
