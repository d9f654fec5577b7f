import { spawnSync } from "node:child_process";

/** False where no test can have a terminal; those are skipped then. */
export const HAS_TERMINAL = spawnSync("python3", ["-c", "import pty"]).status === 0;

/** Runs a program on a terminal of its own, types each text once its cue is shown, and prints all that the terminal showed. */
const SCRIPT = `
import fcntl, json, os, pty, select, signal, struct, sys, termios, time
sized, set_size = os.pipe()
pid, fd = pty.fork()
if pid == 0:
    os.close(set_size)
    os.read(sized, 1)
    os.execvp(sys.argv[3], sys.argv[3:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[2]), 0, 0))
os.close(set_size)
shown = b""
steps = json.loads(sys.argv[1])
while True:
    try:
        if not select.select([fd], [], [], 120)[0]:
            os.kill(pid, signal.SIGKILL)
            break
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if steps and steps[0][0].encode() in shown:
        time.sleep(0.1)
        os.write(fd, steps.pop(0)[1].encode())
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** What to type once a text is shown. */
export type Typed = readonly [cue: string, keys: string];

/** How a program ended that ran on a terminal, and all that it showed there. */
export interface Shown {
  readonly status: number | null;
  readonly screen: string;
}

/** Runs a program on a terminal until it ends, or has shown nothing new for two minutes. */
export function onTerminal(
  command: readonly string[],
  typed: readonly Typed[],
  { columns = 120, ...options }: { cwd: string; env: { readonly [name: string]: string }; columns?: number },
): Shown {
  const { status, stdout } = spawnSync("python3", ["-c", SCRIPT, JSON.stringify(typed), String(columns), ...command], {
    ...options,
    env: { TERM: "xterm", ...options.env },
    encoding: "utf8",
  });
  return { status, screen: stdout };
}
