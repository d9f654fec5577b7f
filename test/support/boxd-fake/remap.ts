/** The machine's own paths, and where they really are. */
export interface PathMap {
  /** stands for `/home/boxd` */
  readonly home: string;
  /** stands for `/tmp` */
  readonly tmp: string;
  /** stands for `/proc/sys/kernel/random/boot_id`, which changes with every boot */
  readonly bootId: string;
}

export const GUEST_HOME = "/home/boxd";
export const GUEST_BOOT_ID = "/proc/sys/kernel/random/boot_id";
const GUEST_PATH = /(?<![\w.}~/-])(\/proc\/sys\/kernel\/random\/boot_id|\/home\/boxd|\/tmp)(?![\w.-])/g;

/** Replaces the machine's paths in a command line by the real ones, in one pass (the real ones may lie under /tmp). */
export function toHost(text: string, map: PathMap): string {
  return text.replace(GUEST_PATH, (path) => hostRoot(path, map));
}

/** The real path of one absolute path in the machine. */
export function hostPath(path: string, map: PathMap): string {
  const found = [GUEST_BOOT_ID, GUEST_HOME, "/tmp"].find((root) => path === root || path.startsWith(`${root}/`));
  return found === undefined ? path : hostRoot(found, map) + path.slice(found.length);
}

/** Replaces the real paths in output by the machine's, byte for byte elsewhere. */
export function toGuest(bytes: Buffer, map: PathMap): Buffer {
  const text = bytes.toString("latin1");
  if (!text.includes(map.home) && !text.includes(map.tmp) && !text.includes(map.bootId)) return bytes;
  const mapped = text
    .replaceAll(map.home, GUEST_HOME)
    .replaceAll(map.tmp, "/tmp")
    .replaceAll(map.bootId, GUEST_BOOT_ID);
  return Buffer.from(mapped, "latin1");
}

function hostRoot(path: string, map: PathMap): string {
  if (path === GUEST_HOME) return map.home;
  return path === "/tmp" ? map.tmp : map.bootId;
}
