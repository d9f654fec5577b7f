import { tidyPath } from "../base/relative-path.ts";
import { compareText } from "../base/text-order.ts";
import { MAX_TEXT_BYTES } from "../diagnostics/input-problem.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { DeploymentInputs, PackageFile, SkillsPath, TreeEntry } from "./inputs.ts";
import { packageFiles } from "./release/package-files.ts";

/** How far a tree of a deployment is looked at. */
export interface TreeExtent {
  /** Levels of directories below the root; 1 is the root's own entries. */
  readonly depth: number;
  /** True for files (by path) of which it matters whether they are text; their text is kept where rules read it. */
  readonly opens: (path: string) => boolean;
}

/** Of `sandbox/` it matters which files of skills and, directly beside tool.json, of tools are text. */
const OPENED = /^sandbox\/(?:skills\/|tools\/[^/]+\/[^/]+$|(?:Dockerfile|\.dockerignore)$)/;

/** Deep enough for any skill, and an end where directories lead into each other. */
const DEEP = 32;

export const SANDBOX_EXTENT: TreeExtent = { depth: DEEP, opens: (path) => OPENED.test(path) };
export const PLUGINS_EXTENT: TreeExtent = { depth: 2, opens: (path) => path.endsWith("/Dockerfile") };
export const SKILLS_EXTENT: TreeExtent = { depth: DEEP, opens: () => true };

/** True for a file whose text rules read. */
export function isReadByRules(path: string): boolean {
  return /(?:^|\/)(?:tool\.json|SKILL\.md|Dockerfile|\.dockerignore)$/.test(path);
}

/** Files of a deployment directory: their text by their path below it, with `/`; null for one that is not UTF-8 text. */
export type DeploymentFiles = { readonly [path: string]: string | null };

/** What stands beside the config, as text. */
export interface TextSurroundings {
  /** Text of `.env`; null or left out where there is none. */
  readonly env?: string | null | undefined;
  /** What lies below the deployment directory: files of `sandbox/`, `plugins/` and `skills[]`, and `package.json`. */
  readonly files?: DeploymentFiles | undefined;
  /** As `--release`. */
  readonly release?: string | undefined;
  /** As `--target`. */
  readonly target?: string | undefined;
}

/** The facts that the workspace reads from disk, from texts alone. Files have no permission bits, and none is a link. */
export function inputsFromText(loaded: LoadedConfig, surroundings: TextSurroundings): DeploymentInputs {
  const { env = null, files = {}, release = null, target = null } = surroundings;
  const { file, text } = loaded.document;
  const own = Object.hasOwn(files, "package.json") ? files["package.json"] : null;
  const manifest: PackageFile | null =
    typeof own === "string" ? { file: "package.json", text: own, relation: "own" } : null;
  return {
    config: { file, text },
    directory: ".",
    envFile: env === null ? null : { file: ".env", text: env, mode: null },
    packageFiles: packageFiles(manifest === null ? null : { file: manifest }, () => null).files,
    sandboxTree: treeOfFiles(files, "sandbox", SANDBOX_EXTENT),
    pluginsTree: treeOfFiles(files, "plugins", PLUGINS_EXTENT),
    skillsPaths: (loaded.config.skills ?? []).map((written) => skillsPath(files, written)),
    flags: { release, target },
  };
}

/** What lies below a directory as the workspace lists it: sorted by path, with the directories that files are in. */
export function treeOfFiles(files: DeploymentFiles, root: string, { depth, opens }: TreeExtent): TreeEntry[] {
  const entries = new Map<string, TreeEntry>();
  const above = root.split("/").length;
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith(`${root}/`)) continue;
    const steps = path.split("/");
    for (let length = above + 1; length < steps.length && length <= above + depth; length++) {
      const directory = steps.slice(0, length).join("/");
      entries.set(directory, { ...PLAIN, path: directory, kind: "directory" });
    }
    if (steps.length <= above + depth) entries.set(path, fileEntry(path, text, opens(path)));
  }
  return [...entries.values()].sort((a, b) => compareText(a.path, b.path));
}

const PLAIN = { size: 0, mode: null, text: null, isText: true, leadsTo: null } as const;

function fileEntry(path: string, text: string | null, isOpened: boolean): TreeEntry {
  const size = text === null ? 0 : new TextEncoder().encode(text).length;
  const facts = { ...PLAIN, path, kind: "file" as const, size };
  if (!isOpened) return facts;
  const isText = text !== null && !text.includes("\0");
  return { ...facts, isText, text: isText && size <= MAX_TEXT_BYTES && isReadByRules(path) ? text : null };
}

function skillsPath(files: DeploymentFiles, written: string): SkillsPath {
  const root = tidyPath(written);
  if (root === null) return { written, kind: "outside" };
  if (root === ".") return { written, kind: "deployment" };
  const entries = treeOfFiles(files, root, SKILLS_EXTENT);
  if (entries.length > 0) return { written, kind: "directory", tree: { root, entries } };
  return { written, kind: Object.hasOwn(files, root) ? "other" : "missing" };
}
