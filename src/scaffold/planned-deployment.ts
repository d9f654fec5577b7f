import { posix } from "node:path";
import { loadConfig } from "../config/load.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { PackageFile, TreeEntry } from "../deployment/inputs.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import { compareText } from "../base/text-order.ts";
import { readInputs } from "../workspace/load-deployment.ts";
import { CONFIG_NAME, displayJoin, displayName } from "../workspace/paths.ts";
import type { PlannedFile } from "./scaffold-file.ts";

/** The deployment as it will be once the planned files are there: what is on disk, with them over it. */
export function deploymentWith(directory: string, files: readonly PlannedFile[], cwd: string): Deployment {
  const shown = displayName(directory, cwd);
  const named = (path: string): string => displayJoin(shown, path);
  const textOf = (path: string): string | null => files.find((file) => file.path === path)?.text ?? null;
  const source = { file: named(CONFIG_NAME), text: textOf(CONFIG_NAME) ?? "" };
  const loaded = loadConfig(source);
  const planned = files.find((file) => file.path === ".env");
  const env = planned === undefined ? null : { file: named(".env"), text: planned.text, mode: planned.mode };
  const inputs = readInputs(source, loaded, directory, env, { cwd });
  const packageText = textOf("package.json");
  const own: readonly PackageFile[] =
    packageText === null ? [] : [{ file: named("package.json"), text: packageText, relation: "own" }];
  const packageFiles =
    own.length === 0
      ? inputs.packageFiles
      : [...own, ...inputs.packageFiles.filter((file) => file.relation === "parent")];
  const sandboxTree = withFiles(
    inputs.sandboxTree,
    files.filter((file) => file.path.startsWith("sandbox/")),
  );
  return resolveDeployment({ ...inputs, packageFiles, sandboxTree }, loaded);
}

function withFiles(tree: readonly TreeEntry[], files: readonly PlannedFile[]): readonly TreeEntry[] {
  const entries = new Map(tree.map((entry) => [entry.path, entry]));
  for (const file of files) {
    for (let at = posix.dirname(file.path); at !== "sandbox"; at = posix.dirname(at))
      if (!entries.has(at)) entries.set(at, directoryEntry(at));
    if (file.action !== "kept" || !entries.has(file.path)) entries.set(file.path, fileEntry(file));
  }
  return [...entries.values()].sort((a, b) => compareText(a.path, b.path));
}

function directoryEntry(path: string): TreeEntry {
  return { path, kind: "directory", size: 0, mode: 0o755, text: null, isText: true, leadsTo: null };
}

function fileEntry({ path, text, mode }: PlannedFile): TreeEntry {
  const isRead = /\/(?:SKILL\.md|tool\.json)$/.test(path);
  return {
    path,
    kind: "file",
    size: Buffer.byteLength(text),
    mode,
    text: isRead ? text : null,
    isText: true,
    leadsTo: null,
  };
}
