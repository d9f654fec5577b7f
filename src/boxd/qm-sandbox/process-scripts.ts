/**
 * The shell text of process sessions. A session is a directory in the machine:
 *
 *     cmd, started, out      its command, start (Unix seconds), and both output streams
 *     in, ctl                fifos: its standard input, and signal names for the supervisor
 *     alive                  locked while the supervisor lives
 *     ready, code            marks: it runs, and its exit status
 *
 * Signals go through the supervisor and life is told by a lock, not by process ids: a later command may be in another process namespace, and a
 * machine may have been rebooted since, when ids mean nothing.
 */
import { shellQuote } from "../driver/index.ts";

/** Below the machine user's home. */
export const SESSIONS_DIR = ".agent-proc";
const REBOOT_STATUS = 137;
/** Enough to recognise a secret that begins in the part that is shown. */
const LISTED_BYTES = 16_384;
/** Statuses of the scripts below. */
export const NO_SESSION = 44;
const NOT_READY = 45;
export const ENDED = 46;

/** `$1` is the session. Its own group and session for the command, so that a signal reaches all of it and not the supervisor. */
const SUPERVISOR = [
  `exec 3<>"$1/in" 4<>"$1/ctl" 5>"$1/alive"`,
  `flock 5`,
  // A background job of a shell ignores these two, and no shell below it could undo that.
  `setsid env --default-signal=INT,QUIT /bin/sh "$1/cmd" <&3 >"$1/out" 2>&1 3>&- 4>&- 5>&- & _p=$!`,
  `: >"$1/ready"`,
  `(while read -r _s; do kill -s "$_s" -- "-$_p"; done <&4) 5>&- & _w=$!`,
  `wait "$_p"; _c=$?`,
  `kill "$_w"`,
  `echo "$_c" >"$1/code.part" && mv -f "$1/code.part" "$1/code"`,
].join("\n");

/** Directory of a session. Absolute, because a handle's environment may set another HOME. */
export function sessionDir(home: string, id: string): string {
  return `${home}/${SESSIONS_DIR}/${id}`;
}

/** Starts a session; its command comes in on standard input, its environment is that of this script. */
export function startScript(dir: string, cwd: string): string {
  return [
    `_u=$(umask); umask 077`,
    `_d=${shellQuote(dir)}; mkdir -p "$_d" && cat >"$_d/cmd" && mkfifo "$_d/in" "$_d/ctl" && : >"$_d/out" && date +%s >"$_d/started" || exit 1`,
    `cd ${shellQuote(cwd)} 2>/dev/null || { echo "the directory cannot be entered" >&2; rm -rf "$_d"; exit 1; }`,
    `umask "$_u"`,
    `setsid /bin/sh -c ${shellQuote(SUPERVISOR)} sh "$_d" </dev/null >/dev/null 2>&1 &`,
    `_i=0; while [ ! -e "$_d/ready" ]; do [ "$_i" -lt 200 ] || exit ${NOT_READY}; sleep 0.05; _i=$((_i + 1)); done`,
  ].join("\n");
}

/**
 * Waits up to `waitMs` for output after byte `cursor`, or for the end. First line: the new cursor and the exit status, or `-` while it runs;
 * then up to `maxBytes` of output as base64.
 */
export function readScript(dir: string, cursor: number, maxBytes: number, waitMs: number): string {
  return inSession(
    dir,
    `_i=0; while :; do`,
    // The status before the size: what a process wrote before it ended is then never missed.
    `  _c=$(_code "$_d"); _z=$(wc -c <"$_d/out"); _z=$((_z + 0))`,
    `  [ "$_c" = - ] && [ "$_z" -le ${cursor} ] && [ "$_i" -lt ${Math.ceil(waitMs / 100)} ] || break`,
    `  sleep 0.1; _i=$((_i + 1))`,
    `done`,
    `_n=$((_z - ${cursor})); [ "$_n" -ge 0 ] || _n=0; [ "$_n" -le ${maxBytes} ] || _n=${maxBytes}`,
    `echo "$_n $_z $_c"`,
    `[ "$_n" -eq 0 ] || tail -c +${cursor + 1} "$_d/out" | head -c "$_n" | base64`,
  );
}

/** Writes standard input to the session's. Opened both ways: a fifo that nobody reads would otherwise block. */
export function inputScript(dir: string): string {
  return inSession(dir, `[ "$(_code "$_d")" = - ] || exit ${ENDED}`, `exec 3<>"$_d/in"; cat >&3`);
}

/** Hands a signal to the supervisor; one that has ended is left alone. */
export function signalScript(dir: string, signal: string): string {
  return inSession(dir, `[ "$(_code "$_d")" = - ] || exit 0`, `exec 3<>"$_d/ctl"; echo ${signal} >&3`);
}

/** One line a session: id, start, status, and the beginning of its command as base64. */
export function listScript(home: string): string {
  return [
    CODE,
    `for _d in ${shellQuote(`${home}/${SESSIONS_DIR}`)}/*; do`,
    `  [ -e "$_d/ready" ] || continue`,
    `  echo "\${_d##*/} $(cat "$_d/started") $(_code "$_d") $(head -c ${LISTED_BYTES} "$_d/cmd" | base64 | tr -d '\\n')"`,
    `done`,
  ].join("\n");
}

/** The status of session `$1`, or `-` while its supervisor lives. One that vanished without a word was killed, most likely by a reboot. */
const CODE = [
  `_code() {`,
  `  if [ ! -s "$1/code" ] && ! flock -n "$1/alive" true; then echo -; return; fi`,
  // Looked at again: it may have ended between the two.
  `  if [ -s "$1/code" ]; then cat "$1/code"; else echo ${REBOOT_STATUS}; fi`,
  `}`,
].join("\n");

function inSession(dir: string, ...lines: readonly string[]): string {
  return [CODE, `_d=${shellQuote(dir)}`, `[ -e "$_d/ready" ] || exit ${NO_SESSION}`, ...lines].join("\n");
}
