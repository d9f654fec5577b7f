import { randomUUID } from "node:crypto";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { GUEST_HOME, type PathMap } from "./remap.ts";

/** A machine's root directory: `home`, `tmp`, `bin` (its own commands), `boot_id`, and the mark of the last `sync`. */
export class Disk implements PathMap {
  readonly root: string;
  readonly home: string;
  readonly tmp: string;
  readonly bin: string;
  readonly bootId: string;
  private readonly syncMark: string;

  /** `tools` are scripts by command name, beside the built-in `sudo`, `sync`, `wc` and `node`. */
  constructor(root: string, tools: Readonly<Record<string, string>>) {
    this.root = root;
    this.home = join(root, "home");
    this.tmp = join(root, "tmp");
    this.bin = join(root, "bin");
    this.bootId = join(root, "boot_id");
    this.syncMark = join(root, "synced");
    for (const dir of [this.root, this.home, this.tmp, this.bin]) mkdirSync(dir, { mode: 0o755 });
    symlinkSync(process.execPath, join(this.bin, "node"));
    const scripts = { sudo: SUDO, sync: SYNC, wc: wcScript(this), ...tools };
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(join(this.bin, name), script);
      chmodSync(join(this.bin, name), 0o755);
    }
    writeFileSync(this.syncMark, "");
    this.boot();
  }

  /** Begins with the content of another home. */
  fill(home: string): void {
    cpSync(home, this.home, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    this.sync();
  }

  /** What a boot does: /tmp is emptied and there is a new boot id. */
  boot(): void {
    for (const name of readdirSync(this.tmp)) rmSync(join(this.tmp, name), { recursive: true, force: true });
    writeFileSync(this.bootId, `${randomUUID()}\n`);
  }

  /** What a power-off does to files that were written and not synced since: their content is gone. */
  powerOff(): void {
    loseUnsynced(this.home, statSync(this.syncMark).mtimeMs);
  }

  /** The same as the guest's `sync`. */
  sync(): void {
    const now = Date.now() / 1000;
    utimesSync(this.syncMark, now, now);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

/** Passwordless sudo: drops sudo's own options and assignments stay with the command, run through env. */
const SUDO = `#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    -u|-g) shift 2 ;;
    --) shift; break ;;
    -*) shift ;;
    *) break ;;
  esac
done
exec env "$@"
`;

/** With arguments it is about these files only, of which the existence is kept in any case. */
const SYNC = `#!/bin/sh
[ $# -gt 0 ] || : > "\${0%/*}/../synced"
`;

/** Bytes that pass through a pipe are counted as the caller sees them: with the machine's paths, not with the real ones. */
function wcScript({ home, tmp }: PathMap): string {
  const seen = `LC_ALL=C sed -e 's|${home}|${GUEST_HOME}|g' -e 's|${tmp}|/tmp|g'`;
  return `#!/bin/sh\nif [ "$*" = -c ] && [ -p /dev/stdin ]; then ${seen} | /usr/bin/wc -c; else exec /usr/bin/wc "$@"; fi\n`;
}

/** By ctime: unlike mtime it cannot be set back (tar, `mv` of a staged file). */
function loseUnsynced(dir: string, syncedMs: number): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    const info = lstatSync(path);
    if (info.isDirectory()) loseUnsynced(path, syncedMs);
    else if (info.isFile() && info.ctimeMs > syncedMs) truncateSync(path);
  }
}
