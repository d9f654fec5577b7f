import { type ChildProcess, spawn } from "node:child_process";
import { REDACTED } from "../base/redact.ts";
import { bad, good, type Outcome } from "./outcome.ts";
import type { Step } from "./commands.ts";

/** What building and publishing may touch outside the deployment. */
export interface Host {
  readonly environment: { readonly [name: string]: string | undefined };
  /** What a program said that does not write to the terminal itself. */
  readonly tell: (text: string) => void;
  /** Resolves when the user asks the program to end. */
  readonly interrupted: Promise<unknown>;
}

/** How to run a step. */
export interface RunOptions {
  /** Environment on top of that of this process; values are taken out of what the program says. */
  readonly secrets?: { readonly [name: string]: string };
  /** True: stdout is handed back instead of shown. */
  readonly captures?: boolean;
}

type Ended =
  | { readonly kind: "absent" }
  | { readonly kind: "ended"; readonly status: number | null; readonly stdout: string; readonly said: string };

const ABSENT = {
  docker: bad("docker is not on PATH", "install Docker with its Buildx plugin"),
  fly: bad(
    "neither fly nor flyctl is on PATH, and Fly's registry wants docker to be signed in with it",
    "install flyctl",
  ),
};

/** Runs docker and fly, one at a time, without a shell, until the user interrupts. */
export class Programs {
  readonly #host: Host;
  #running: ChildProcess | null = null;
  #isInterrupted = false;

  constructor(host: Host) {
    this.#host = host;
    void host.interrupted.then(() => {
      this.#isInterrupted = true;
      this.#running?.kill("SIGTERM");
    });
  }

  /** Runs a step; gives back its stdout where that is captured, else nothing. */
  async run(step: Step, options: RunOptions = {}): Promise<Outcome<string>> {
    if (this.#isInterrupted) return INTERRUPTED;
    let ended = await this.#start(step.program, step.args, options);
    if (ended.kind === "absent" && step.program === "fly") ended = await this.#start("flyctl", step.args, options);
    if (ended.kind === "absent") return ABSENT[step.program];
    if (ended.said !== "") this.#host.tell(ended.said);
    if (ended.status === 0) return good(ended.stdout);
    if (this.#isInterrupted) return INTERRUPTED;
    const how = ended.status === null ? "was ended by a signal" : `failed with status ${ended.status}`;
    return bad(`\`${step.program} ${step.args.slice(0, 2).join(" ")}\` ${how}`, "what it said stands above");
  }

  #start(program: string, args: readonly string[], { secrets = {}, captures = false }: RunOptions): Promise<Ended> {
    const hides = Object.values(secrets);
    const stdout = captures || hides.length > 0 ? "pipe" : "inherit";
    const stderr = hides.length > 0 ? "pipe" : "inherit";
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        env: { ...this.#host.environment, ...secrets },
        stdio: ["ignore", stdout, stderr],
      });
      this.#running = child;
      const heard = { stdout: "", said: "" };
      child.stdout
        ?.setEncoding("utf8")
        .on("data", (text: string) => void (heard[captures ? "stdout" : "said"] += text));
      child.stderr?.setEncoding("utf8").on("data", (text: string) => void (heard.said += text));
      child.on("error", (error: NodeJS.ErrnoException) => {
        this.#running = null;
        if (error.code === "ENOENT" || error.code === "EACCES") resolve({ kind: "absent" });
        else reject(error);
      });
      child.on("close", (status) => {
        this.#running = null;
        resolve({
          kind: "ended",
          status,
          stdout: heard.stdout,
          said: hides.reduce((text, secret) => text.replaceAll(secret, REDACTED), heard.said),
        });
      });
    });
  }
}

/** Ends a run that the user broke off. */
const INTERRUPTED = bad("interrupted", "run it again");
