import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { Installation } from "./installation.ts";

/** A first start runs hundreds of migrations, on a machine that may be busy with other tests. */
const START_MS = 240_000;
const SECRET = "a-secret-of-the-test-host-that-is-long-enough";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A host on loopback, with a home of its own that outlives it. */
export class PaperclipServer {
  readonly #installation: Installation;
  readonly home: string;
  readonly #log: string;
  #child: ChildProcess | undefined;
  #origin = "";

  /** `folder` is made; its home is the folder `home` in it. */
  constructor(installation: Installation, folder: string) {
    this.#installation = installation;
    this.home = join(folder, "home");
    this.#log = join(folder, "host.log");
    mkdirSync(this.home, { recursive: true });
    this.own(this.home);
  }

  /** Hands a path to the host's user. */
  own(path: string): void {
    const { uid } = this.#installation;
    if (uid !== null) chownSync(path, uid, uid);
  }

  /** Starts the host and waits until it has recovered what was there before. */
  async start(): Promise<void> {
    const { asUser, node, folder } = this.#installation;
    const port = await freePort();
    this.#origin = `http://127.0.0.1:${port}`;
    const [program = "", ...args] = [...asUser, node, "node_modules/@paperclipai/server/dist/index.js"];
    const child = spawn(program, args, { cwd: folder, env: this.#env(port), stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    const log = createWriteStream(this.#log, { flags: "a" });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    await until(`the host is ready (${this.#log})`, START_MS, async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the host ended: ${this.log()}`);
      const { body } = await this.ask("GET", "/health").catch(() => ({ body: null }));
      return (body as { startupRecovery?: { phase?: string } } | null)?.startupRecovery?.phase === "ready";
    });
  }

  #env(port: number): NodeJS.ProcessEnv {
    return {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: this.home,
      TMPDIR: "/tmp",
      PAPERCLIP_HOME: join(this.home, ".paperclip"),
      HOST: "127.0.0.1",
      PORT: String(port),
      PAPERCLIP_DEPLOYMENT_MODE: "local_trusted",
      PAPERCLIP_MIGRATION_PROMPT: "never",
      PAPERCLIP_MIGRATION_AUTO_APPLY: "true",
      PAPERCLIP_AGENT_JWT_SECRET: SECRET,
      BETTER_AUTH_SECRET: SECRET,
      SERVE_UI: "false",
      PAPERCLIP_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
      PAPERCLIP_ANNOUNCEMENTS_ENABLED: "false",
      PAPERCLIP_DB_BACKUP_ENABLED: "false",
    };
  }

  /** The end of what the host has said. */
  log(): string {
    return readFileSync(this.#log, "utf8").slice(-4000);
  }

  /** One request to the API; `path` is what follows `/api`. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.#origin}/api${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  }

  /** The body of a request that succeeds. */
  async get<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  /** Ends the host as its operator does, and waits. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** Ends it without a chance to do anything. Postgres goes on, and the next start finds it. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Kills the host and what a killed one has left. */
  async dispose(): Promise<void> {
    await this.kill();
    try {
      const [pid] = readFileSync(join(this.home, ".paperclip/instances/default/db/postmaster.pid"), "utf8").split("\n");
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // Postgres has ended.
    }
  }
}

/** Waits for what other processes bring about; throws after `ms`. */
export async function until(what: string, ms: number, happened: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + ms;
  while (!(await happened())) {
    if (Date.now() > end) throw new Error(`waited ${String(ms / 1000)} s in vain: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
