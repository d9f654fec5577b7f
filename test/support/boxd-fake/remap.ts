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

/**
 * Output as it comes, with the real paths replaced by the machine's, byte for byte elsewhere. What may be the beginning of a path waits for what
 * follows.
 */
export class GuestText {
  readonly #roots: readonly (readonly [real: string, guest: string])[];
  #waiting = "";

  constructor(map: PathMap) {
    this.#roots = [
      [map.home, GUEST_HOME],
      [map.tmp, "/tmp"],
      [map.bootId, GUEST_BOOT_ID],
    ];
  }

  push(bytes: Buffer): Buffer {
    let text = this.#waiting + bytes.toString("latin1");
    for (const [real, guest] of this.#roots) text = text.replaceAll(real, guest);
    const longest = Math.max(...this.#roots.map(([real]) => real.length)) - 1;
    let kept = Math.min(longest, text.length);
    while (kept > 0 && !this.#roots.some(([real]) => real.startsWith(text.slice(-kept)))) kept -= 1;
    this.#waiting = kept === 0 ? "" : text.slice(-kept);
    return Buffer.from(text.slice(0, text.length - kept), "latin1");
  }

  /** What still waited when the output ended. */
  rest(): Buffer {
    const rest = Buffer.from(this.#waiting, "latin1");
    this.#waiting = "";
    return rest;
  }
}

function hostRoot(path: string, map: PathMap): string {
  if (path === GUEST_HOME) return map.home;
  return path === "/tmp" ? map.tmp : map.bootId;
}
