import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { relative as relativePath, sep } from "node:path";
import { shellQuote } from "../driver/index.ts";
import type { MachinesByName } from "./machines-by-name.ts";
import { extractInto } from "./files.ts";
import { PREPARE_MS } from "./timeouts.ts";
import { inside, relative } from "./paths.ts";
import type { SandboxHandle, WorkspaceLayer } from "./sandbox.ts";
import type { TarFile } from "./tar.ts";

/** Where layers come from: the part of qm's `WorkspaceStore` that is needed. */
export interface WorkspaceSource {
  /** directory of a scope on this machine */
  scopeDir(scopeId: string): string;
  /** absolute paths of the scope's files */
  list(scopeId: string): Promise<readonly string[]>;
}

/** What is there already: a digest on the first line, then each path. Kept in the workspace, so it goes when the workspace goes. */
const MANIFEST = ".ro-layers.manifest";

/**
 * Puts the files of the read-only layers into the workspace, unless exactly these are there. Files of an earlier set that the new one lacks are
 * removed: a skill that was taken back must not stay.
 */
export async function placeLayers(
  machines: MachinesByName,
  source: WorkspaceSource,
  handle: SandboxHandle,
  layers: readonly WorkspaceLayer[],
): Promise<void> {
  const files = await layerFiles(source, layers);
  const manifestPath = inside(handle.rootDir, MANIFEST);
  const old = await oldManifest(machines, handle.id, manifestPath);
  if (files.length === 0 && old === undefined) return;
  const digest = sha256(files.map(({ path, data }) => `${path}\0${sha256(data)}\n`).join(""));
  if (old?.digest === digest) return;
  const kept = new Set(files.map((file) => file.path));
  const stale = (old?.paths ?? []).filter((path) => !kept.has(path));
  // Before the new ones: a file may take the place of a directory.
  if (stale.length > 0) {
    // The agent can write the manifest, so each path is looked at again.
    const targets = stale.map((path) => shellQuote(inside(handle.rootDir, path)));
    await machines.script(handle.id, "remove old layers", `rm -f -- ${targets.join(" ")}`, PREPARE_MS);
  }
  await extractInto(machines, handle.id, handle.rootDir, files);
  await machines.upload(handle.id, manifestPath, Buffer.from([digest, ...kept, ""].join("\n")));
}

/** In the order of the layers; where two bring the same path the later wins. */
async function layerFiles(source: WorkspaceSource, layers: readonly WorkspaceLayer[]): Promise<TarFile[]> {
  const byPath = new Map<string, TarFile>();
  for (const layer of layers.filter((candidate) => candidate.mode === "ro")) {
    const dir = source.scopeDir(layer.scopeId);
    for (const file of await source.list(layer.scopeId)) {
      const path = relative(`${layer.mountPath}/${relativePath(dir, file).split(sep).join("/")}`);
      byPath.set(path, { path, data: await readFile(file) });
    }
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

async function oldManifest(machines: MachinesByName, name: string, path: string) {
  const bytes = await machines.download(name, path);
  if (bytes === null) return undefined;
  const [digest = "", ...paths] = Buffer.from(bytes).toString("utf8").split("\n");
  return { digest, paths: paths.filter((entry) => entry !== "") };
}
