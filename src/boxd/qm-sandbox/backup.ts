import { shellQuote } from "../driver/index.ts";
import { failure, type MachinesByName } from "./machines-by-name.ts";
import { DISPLACED_DIR, type CredentialPath } from "./credential-links.ts";
import { EXTRACT_MS, PREPARE_MS } from "./timeouts.ts";
import { isBelow, relative, WORKSPACE } from "./paths.ts";
import { SESSIONS_DIR } from "./process-scripts.ts";
import type { BackupArea, BackupEntry, BackupOptions, SandboxHandle } from "./sandbox.ts";
import { parseTar, type TarFile } from "./tar.ts";

/** Directories whose content is made again by itself, wherever they are. */
const CACHES = ["__pycache__", ".cache"];
/** Directories of the home that are no part of it: the workspace is an area of its own, the rest belongs to this toolkit or can be rebuilt. */
const HOME_ONLY = [WORKSPACE, "venv", SESSIONS_DIR, ".qm-deploy", DISPLACED_DIR];

/** The regular files of the workspace and the home, without caches and credentials. */
export async function backup(
  machines: MachinesByName,
  home: string,
  credentials: readonly CredentialPath[],
  handle: SandboxHandle,
  options: BackupOptions = {},
): Promise<BackupEntry[]> {
  const exclude = options.exclude ?? ((entry) => isPrivate(entry, credentials));
  const entries: BackupEntry[] = [];
  for (const area of options.include ?? (["workspace", "home"] as const)) {
    const root = area === "workspace" ? handle.rootDir : (handle.homeDir ?? home);
    for (const { path, data } of await archived(machines, handle.id, area, root, options)) {
      const entry = { area, path: relative(path), data };
      if (!exclude({ area, path: entry.path })) entries.push(entry);
    }
  }
  return entries;
}

/** Credentials never leave the machine: `.aws` at any depth, and the places that are kept in ephemeral storage. */
function isPrivate({ area, path }: Pick<BackupEntry, "area" | "path">, credentials: readonly CredentialPath[]) {
  const segments = path.split("/");
  if (segments.includes(".aws")) return true;
  return area === "home" && credentials.some((place) => isBelow(path, relative(place.path)));
}

async function archived(
  machines: MachinesByName,
  name: string,
  area: BackupArea,
  root: string,
  options: BackupOptions,
): Promise<TarFile[]> {
  const made = await machines.script(name, `backup ${area}`, "mktemp -d /tmp/computer-backup.XXXXXX", PREPARE_MS);
  const dir = made.stdout.trim();
  try {
    await machines.script(name, `backup ${area}`, archiveScript(dir, area, root, options), EXTRACT_MS);
    const bytes = await machines.download(name, `${dir}/tar`);
    if (bytes === null) throw failure(`backup ${area}`, name, "the archive is gone");
    return await parseTar(bytes);
  } finally {
    await machines.script(name, `backup ${area}`, `rm -rf -- ${shellQuote(dir)}`, PREPARE_MS).catch(() => undefined);
  }
}

/** The list first, the archive from it. A file that goes away or changes meanwhile (status 1) is no reason to fail. */
function archiveScript(dir: string, area: BackupArea, root: string, options: BackupOptions): string {
  const starts = (options.includePaths ?? ["."]).map((path) => shellQuote(`./${relative(path)}`)).join(" ");
  const pruned = [
    ...(options.keepContentCaches === true ? [] : CACHES.map((cache) => `-name ${shellQuote(cache)}`)),
    ...(area === "home" ? HOME_ONLY.map((path) => `-path ${shellQuote(`./${path}`)}`) : []),
  ];
  const prune = pruned.length === 0 ? "" : `\\( ${pruned.join(" -o ")} \\) -prune -o`;
  const [follow, dereference] = options.followSymlinks === true ? ["-L", "-h"] : ["-P", ""];
  return [
    `cd ${shellQuote(root)} 2>/dev/null || { tar -cf ${shellQuote(`${dir}/tar`)} -T /dev/null; exit; }`,
    `find ${follow} ${starts} ${prune} -type f -print0 2>/dev/null >${shellQuote(`${dir}/list`)}`,
    `tar -c ${dereference} --null --ignore-failed-read -T ${shellQuote(`${dir}/list`)} -f ${shellQuote(`${dir}/tar`)} 2>/dev/null || [ $? -eq 1 ]`,
  ].join("\n");
}
