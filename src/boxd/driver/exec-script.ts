/**
 * The shell text that runs one command inside a machine. Everything a command leaves lives in its run directory:
 *
 *     k      fifo: `kill` ends the command, `end` and `done` are the runner's own marks
 *     o, e   fifos between the command and the call's two streams
 *     p, q   fifos for copies of the two, that are counted into m and n
 *     in, env, cmd   staged input, environment and script; `in` and `env` are unlinked before the command starts
 *     x, y, z        marks: being killed, group killed, leader ended
 *     dead   the caller gave up before the command began
 *
 * Beside it lies a mark that the command may have begun, and later its exit status, which outlives the directory: boxd may answer that the machine is
 * stopped although the command ran, and the try after that must not run it again. It is dated when the call is over at the latest, and removed by any later command.
 *
 * Killing goes through the file system on purpose: one source measured that every exec has a process namespace of its own, so a second exec may
 * not see the group that it should kill. A watcher in the runner's own namespace does it, and also ends the command by itself when the
 * caller never comes back.
 */
import { shellQuote, shellWords } from "./shell.ts";

export interface RunPlan {
  /** marks the runner's own complaints, so that they cannot be mistaken for the command's output */
  token: string;
  /** the run directory, absolute */
  dir: string;
  /** the mark that the command may have begun, `….begun`, absolute; the same for every try of one command, in a directory above the run directory */
  begun: string;
  /** what to run: words, or a script for `sh` */
  command: readonly string[] | string;
  cwd: string | undefined;
  /** staged files by name, with their length in bytes and the number of parts they were sent in */
  staged: ReadonlyMap<StagedName, { size: number; parts: number }>;
  /** the guest ends the command by itself after this */
  limitSeconds: number;
}

export type StagedName = "in" | "env" | "cmd";

/** Exit status of the runner when it could not run the command; only together with `<token>:<reason>` on standard error. */
export const RUNNER_FAILED = 125;

/** What the runner ends its standard error with: the bytes that the command wrote on each stream, empty when that is not known, and its exit status. */
export function endPattern(token: string): RegExp {
  return new RegExp(`${token}:end:(\\d*):(\\d*):(\\d+)\n$`);
}

/** The runner: exits with the command's own status, and leaves no file behind unless it was killed. */
export function runnerScript(plan: RunPlan): string {
  return [
    `_d=${shellQuote(plan.dir)}`,
    `_fail() { printf '${plan.token}:%s\\n' "$1" >&2; rm -rf "$_d"; exit ${RUNNER_FAILED}; }`,
    `_g=${shellQuote(plan.begun)}`,
    // A first try that still runs is left its directory: it is ended through the fifo in there, which only then can be opened.
    `if [ -e "$_g" ]; then { [ -p "$_d/k" ] && timeout 1 /bin/sh -c ': >"$1"' sh "$_d/k"; } || rm -rf "$_d"; printf '${plan.token}:begun\\n' >&2; exit ${RUNNER_FAILED}; fi`,
    `(umask 077; mkdir -p "$_d" && mkfifo "$_d/k" "$_d/o" "$_d/e" "$_d/p" "$_d/q") 2>/dev/null || _fail rundir`,
    `[ ! -e "$_d/dead" ] || _fail dead`,
    ...[...plan.staged].map(([name, { size, parts }]) => assemble(name, size, parts)),
    ...(plan.cwd === undefined ? [] : [`cd ${shellQuote(plan.cwd)} 2>/dev/null || _fail cwd`]),
    `(umask 077; : >"$_g" && touch -d "@$(($(date +%s) + ${plan.limitSeconds}))" "$_g") 2>/dev/null || _fail mark`,
    // A power-off follows where the mark is needed, so it has to be on the disk.
    `find "\${_g%/*}" -maxdepth 1 -name '*.begun' -mmin +0 -delete 2>/dev/null; sync "$_g" "\${_g%/*}" 2>/dev/null`,
    `exec 3<>"$_d/k"`,
    // Counted, because the way to the caller may lose the end of it without a word.
    `wc -c <"$_d/p" >"$_d/m" 3>&- & _m=$!`,
    `wc -c <"$_d/q" >"$_d/n" 3>&- & _n=$!`,
    `tee "$_d/p" <"$_d/o" 3>&- & _a=$!`,
    `tee "$_d/q" <"$_d/e" >&2 3>&- & _b=$!`,
    // The leader of a new session, so its id is also the group's; a background job's input would be /dev/null anyway, and it would ignore INT and QUIT.
    `setsid env --default-signal=INT,QUIT /bin/sh -c ${shellQuote(leaderScript(plan))} sh "$_d" <${plan.staged.has("in") ? '"$_d/in"' : "/dev/null"} >"$_d/o" 2>"$_d/e" 3>&- & _p=$!`,
    // In a session of its own too: it must outlive a runner that is killed together with its group.
    `setsid /bin/sh -c ${shellQuote(watcherScript(plan.limitSeconds))} sh "$_d" "$_p" "$_a" "$_b" </dev/null >/dev/null 2>&1 & _w=$!`,
    // The shell would report a killed command on the command's own standard error.
    `exec 5>&2 2>/dev/null`,
    `wait "$_p"; _c=$?`,
    `: >"$_d/z"; echo end >&3`,
    `wait "$_a"; wait "$_b"; echo done >&3; wait "$_w"`,
    // A relay that was ended before it began has left its counter waiting for somebody to open the other end.
    `(: 6<>"$_d/p" 7<>"$_d/q"); wait "$_m" "$_n"`,
    // For a caller whom the last line does not reach; dated anew, as writing has dated it now.
    `{ printf %s "$_c" >"$_g" && touch -d "@$(($(date +%s) + ${plan.limitSeconds}))" "$_g"; } 2>/dev/null`,
    `printf '${plan.token}:end:%s:%s:%s\\n' "$(cat "$_d/m")" "$(cat "$_d/n")" "$_c" >&5`,
    `[ -e "$_d/x" ] || rm -rf "$_d"`,
    `exit "$_c"`,
  ].join("\n");
}

/**
 * Ends a command that `runnerScript` started. Prints `killed` once its group is gone, `gone` when it had ended before, `absent` when it has
 * not begun (then it never will).
 */
export function killScript(dir: string): string {
  return [
    `_d=${shellQuote(dir)}`,
    // The runner makes the fifo and then looks for `dead`; here it is the other way round, so one of the two sees the other.
    `[ -p "$_d/k" ] || { (umask 077; mkdir -p "$_d"; : >"$_d/dead"); [ -p "$_d/k" ] || { echo absent; exit 0; }; }`,
    `exec 3<>"$_d/k"; echo kill >&3`,
    `_i=0`,
    `while [ "$_i" -lt 100 ]; do`,
    `  if [ -e "$_d/y" ]; then rm -rf "$_d"; echo killed; exit 0; fi`,
    `  if [ ! -d "$_d" ]; then echo gone; exit 0; fi`,
    `  sleep 0.05; _i=$((_i + 1))`,
    `done`,
    `echo alive`,
  ].join("\n");
}

/** Puts the parts of a staged file together and checks its length. */
function assemble(name: StagedName, size: number, parts: number): string {
  const files = Array.from({ length: parts }, (_, part) => `"$_d/${name}.${part}"`).join(" ");
  return `(umask 077; cat ${files} >"$_d/${name}" && rm -f ${files}) 2>/dev/null && [ "$(wc -c <"$_d/${name}")" -eq ${size} ] || _fail staging`;
}

/** The command's own shell: `$1` is the run directory. */
function leaderScript(plan: RunPlan): string {
  return [
    ...(plan.staged.has("in") ? [`rm -f "$1/in"`] : []),
    // Unlinked first and read through the descriptor: afterwards PATH is the caller's, and there may be no `rm` on it.
    ...(plan.staged.has("env") ? [`exec 4<"$1/env"; rm -f "$1/env"; . /dev/fd/4; exec 4<&-`] : []),
    commandLine(plan),
  ].join("\n");
}

function commandLine(plan: RunPlan): string {
  if (plan.staged.has("cmd")) return `exec /bin/sh "$1/cmd"`;
  if (typeof plan.command === "string") return `exec /bin/sh -c ${shellQuote(plan.command)}`;
  return `exec ${shellWords(plan.command)}`;
}

/** `$1` run directory, `$2` the command's group, `$3` and `$4` the two relays. */
function watcherScript(limitSeconds: number): string {
  return [
    `timeout ${limitSeconds} /bin/sh -c 'read -r _x' <&3`,
    `if [ ! -e "$1/z" ]; then`,
    `  : >"$1/x"`,
    `  kill -s TERM -- "-$2"; _i=0`,
    `  while [ "$_i" -lt 3 ] && kill -s 0 -- "-$2"; do sleep 0.1; _i=$((_i + 1)); done`,
    // Also by process id: the leader may not have become a group leader yet when the first signal went out.
    `  kill -s KILL -- "-$2"; [ -e "$1/z" ] || kill -s KILL "$2"`,
    `  : >"$1/y"`,
    `fi`,
    // A background process may hold the streams for ever; the call ends a second after its command.
    `timeout 1 /bin/sh -c 'while read -r _x; do [ "$_x" != done ] || exit 0; done' <&3 || kill "$3" "$4"`,
  ].join("\n");
}
