import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";

/** A python that has the vendor's SDK, or undefined. */
export const peersPython = process.env["QM_DEPLOY_PEERS_PYTHON"];

/** The version of the vendor's SDK, or undefined where there is none. */
export function pythonSdkVersion(): string | undefined {
  if (peersPython === undefined) return undefined;
  const asked = spawnSync(peersPython, ["-c", "import boxd; print(boxd.__version__)"], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : undefined;
}

/** An exception of the vendor's SDK. */
export class PythonError extends Error {
  /** the status's name as the SDK tells it */
  readonly code: string | null;
  readonly grpcCode: number | null;

  constructor(name: string, message: string, code: string | null, grpcCode: number | null) {
    super(message);
    this.name = name;
    this.code = code;
    this.grpcCode = grpcCode;
  }
}

/** An interactive command: what is written, whether its input is ended, and how many chunks are read before it is closed (default all). */
export interface Stream {
  id: string;
  command: string;
  write?: string[];
  eof?: boolean;
  close_stdin?: boolean;
  read?: number;
}

/** The vendor's SDK in a Python process of its own. Calls are made one after another. */
export class PythonSdk {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(python: string) {
    const child = spawn(python, [join(import.meta.dirname, "python_sdk.py")], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, GRPC_VERBOSITY: "NONE", BOXD_NO_UPDATE_NOTICE: "1" },
    });
    this.#child = child;
    this.#reader = createInterface({ input: child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** A client of its own for `name`. */
  async open(options: Record<string, unknown>, name = "default"): Promise<void> {
    await this.#ask({ client: name, open: options });
  }

  call(
    path: string,
    args: readonly unknown[] = [],
    kwargs: Record<string, unknown> = {},
    client = "default",
  ): Promise<any> {
    return this.#ask({ client, call: path, args: args.map(encoded), kwargs });
  }

  stream(stream: Stream): Promise<{ chunks: { data: string; is_stderr: boolean }[]; exit_code: number | null }> {
    return this.#ask({ client: "default", stream });
  }

  close(): void {
    this.#reader.close();
    this.#child.kill();
  }

  #ask(question: object): Promise<any> {
    const asked = this.#turn.then(async () => {
      this.#child.stdin?.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error("the Python process has ended");
      const { result, error, message, code, grpc_code: grpcCode } = JSON.parse(value) as Record<string, any>;
      if (error !== undefined) throw new PythonError(error, message, code, grpcCode);
      return result;
    });
    this.#turn = asked.catch(() => undefined);
    return asked;
  }
}

function encoded(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : value;
}

/** Bytes of an answer. */
export function bytesOf(value: { bytes: string }): Buffer {
  return Buffer.from(value.bytes, "base64");
}
