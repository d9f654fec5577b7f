import { type ChildProcess, spawn } from "node:child_process";
import { REDACTED } from "../base/redact.ts";
import { shellWord } from "../base/shell-word.ts";
import { safePath } from "../workspace/run-program.ts";
import { PublishError } from "./publish-error.ts";

/** A program to run, without a shell. */
export interface Command {
  readonly program: "docker" | "fly";
  readonly args: readonly string[];
}

/** What agents' machines are. */
const PLATFORM = "linux/amd64";

const BUILD = ["buildx", "build", "--platform", PLATFORM] as const;

/** Builds an image for this host's docker. */
export function buildCommand(tag: string, dockerfile: string, context: string): Command {
  return { program: "docker", args: [...BUILD, "--load", "-t", tag, "--file", dockerfile, context] };
}

/** Builds an image, pushes it and writes its digest into a file. Provenance would make the digest that of an index. */
export function pushCommand(image: string, dockerfile: string, metadata: string, context: string): Command {
  const pushes = ["--push", "--provenance=false", "--metadata-file", metadata];
  return { program: "docker", args: [...BUILD, ...pushes, "-t", image, "--file", dockerfile, context] };
}

export function pullCommand(image: string): Command {
  return { program: "docker", args: ["pull", "--platform", PLATFORM, image] };
}

/** Prints the digests by which registries know a pulled image, as JSON. */
export function inspectCommand(image: string): Command {
  return { program: "docker", args: ["image", "inspect", "--format", "{{json .RepoDigests}}", image] };
}

/** Signs docker in to Fly's registry with the token in the environment. */
export const LOGIN_COMMAND: Command = { program: "fly", args: ["auth", "docker"] };

/** A command as one would type it. */
export function commandText({ program, args }: Command): string {
  return [program, ...args].map(shellWord).join(" ");
}

/** What building and publishing may touch outside the deployment. */
export interface Host {
  readonly environment: { readonly [name: string]: string | undefined };
  /** What a program said that does not write to the terminal itself. */
  readonly tell: (text: string) => void;
  /** Resolves when the user asks the program to end. */
  readonly interrupted: Promise<unknown>;
}

/** How to run a command. */
export interface RunOptions {
  /** Environment on top of that of this process; values are taken out of what the program says. */
  readonly secrets?: { readonly [name: string]: string };
  /** True: stdout is handed back instead of shown. */
  readonly captures?: boolean;
}

/** How a program ended. `said` is what was not written to the terminal. */
type Ended = { readonly status: number | null; readonly stdout: string; readonly said: string };

/** Runs docker and fly, one at a time, without a shell, until the user interrupts. */
export class CommandRunner {
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

  /**
   * Runs a command; gives back its stdout where that is captured, else nothing.
   *
   * @throws {PublishError}
   */
  async run({ program, args }: Command, options: RunOptions = {}): Promise<string> {
    this.#checkInterrupted();
    let ended = await this.#start(program, args, options);
    if (ended === null && program === "fly") ended = await this.#start("flyctl", args, options);
    if (ended === null) throw absent(program);
    if (ended.said !== "") this.#host.tell(ended.said);
    if (ended.status === 0) return ended.stdout;
    this.#checkInterrupted();
    const how = ended.status === null ? "was ended by a signal" : `failed with status ${ended.status}`;
    throw new PublishError(`\`${program} ${args.slice(0, 2).join(" ")}\` ${how}`, "what it said stands above");
  }

  #checkInterrupted(): void {
    if (this.#isInterrupted) throw new PublishError("interrupted", "run it again");
  }

  /** Resolves to null where the program is not there. */
  #start(program: string, args: readonly string[], { secrets = {}, captures }: RunOptions): Promise<Ended | null> {
    const hidden = Object.values(secrets);
    const stderr = hidden.length > 0 ? "pipe" : "inherit";
    const stdout = captures === true ? "pipe" : stderr;
    return new Promise((resolve, reject) => {
      const env = safePath({ ...this.#host.environment, ...secrets });
      const child = spawn(program, args, { env, stdio: ["ignore", stdout, stderr] });
      this.#running = child;
      const heard = { stdout: "", said: "" };
      const hear = (to: keyof typeof heard) => (text: string) => void (heard[to] += text);
      child.stdout?.setEncoding("utf8").on("data", hear(captures === true ? "stdout" : "said"));
      child.stderr?.setEncoding("utf8").on("data", hear("said"));
      child.on("error", (error: NodeJS.ErrnoException) => {
        this.#running = null;
        if (error.code === "ENOENT" || error.code === "EACCES") resolve(null);
        else reject(error);
      });
      child.on("close", (status) => {
        this.#running = null;
        const said = hidden.reduce((text, secret) => text.replaceAll(secret, REDACTED), heard.said);
        resolve({ status, stdout: heard.stdout, said });
      });
    });
  }
}

function absent(program: Command["program"]): PublishError {
  if (program === "docker") return new PublishError("docker is not on PATH", "install Docker with its Buildx plugin");
  const message = "neither fly nor flyctl is on PATH, and Fly's registry wants docker to be signed in with it";
  return new PublishError(message, "install flyctl");
}
