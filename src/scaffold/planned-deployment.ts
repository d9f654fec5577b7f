import { posix } from "node:path";
import { compareText } from "../base/text-order.ts";
import type { DeploymentInputs, TreeEntry } from "../deployment/inputs.ts";
import { displayJoin } from "../workspace/paths.ts";
import type { ScaffoldFile } from "./scaffold-file.ts";

/** The inputs of a deployment as they will be once the planned files are there: what is on disk, with them over it. */
export function withPlannedFiles(inputs: DeploymentInputs, files: readonly ScaffoldFile[]): DeploymentInputs {
  const planned = (path: string) => {
    const found = files.find((file) => file.path === path);
    return found === undefined ? null : { ...found, file: displayJoin(inputs.directory ?? ".", path) };
  };
  const own = planned("package.json");
  const env = planned(".env");
  return {
    ...inputs,
    envFile: env ?? inputs.envFile,
    packageFiles: [
      ...(own === null ? [] : [{ file: own.file, text: own.text, relation: "own" as const }]),
      ...inputs.packageFiles.filter(({ relation }) => own === null || relation === "parent"),
    ],
    sandboxTree: withFiles(inputs.sandboxTree, files),
  };
}

function withFiles(tree: readonly TreeEntry[], files: readonly ScaffoldFile[]): readonly TreeEntry[] {
  const entries = new Map(tree.map((entry) => [entry.path, entry]));
  const base = { size: 0, mode: 0o755, text: null, isText: true, leadsTo: null };
  for (const { path, text, mode, action } of files.filter((file) => file.path.startsWith("sandbox/"))) {
    for (let at = posix.dirname(path); at !== "sandbox"; at = posix.dirname(at))
      if (!entries.has(at)) entries.set(at, { ...base, path: at, kind: "directory" });
    if (action === "kept" && entries.has(path)) continue;
    const isRead = /\/(?:SKILL\.md|tool\.json)$/.test(path);
    entries.set(path, { ...base, path, kind: "file", size: Buffer.byteLength(text), mode, text: isRead ? text : null });
  }
  return [...entries.values()].sort((a, b) => compareText(a.path, b.path));
}
