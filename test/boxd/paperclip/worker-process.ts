import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  createRequest,
  isJsonRpcErrorResponse,
  isJsonRpcResponse,
  isJsonRpcSuccessResponse,
  JsonRpcCallError,
  type JsonRpcMessage,
  parseMessage,
  serializeMessage,
} from "@paperclipai/plugin-sdk";
import manifest from "../../../src/boxd/paperclip/manifest.ts";
import { ensureBuilt } from "../../../scripts/build.mjs";
import type { StandIn } from "../../support/boxd-sdk-stand-in/stand-in.ts";

export const WORKER = join(import.meta.dirname, "../../../dist/paperclip/worker.js");

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** The built worker as the host starts it: `fork`, a scrubbed environment, JSON-RPC lines on the standard streams, by the SDK's own protocol functions. */
export class WorkerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number | string, Waiting>();
  #next = 1;
  /** lines on standard output that the host could not parse */
  readonly strayLines: string[] = [];
  stderr = "";
  /** every message, in the order in which they came */
  readonly received: JsonRpcMessage[] = [];

  private constructor(file: string, env: Record<string, string>, nodeArgs: readonly string[]) {
    this.#child = fork(file, [], {
      execArgv: [...nodeArgs],
      stdio: ["pipe", "pipe", "pipe", "ipc"],
      // No HOME, no key: what the host passes to a plugin of an operator's own.
      env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", PAPERCLIP_PLUGIN_ID: manifest.id, ...env },
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    createInterface({ input: this.#child.stdout ?? process.stdin }).on("line", (line) => this.#take(line));
    this.#child.on("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`the worker ended: ${this.stderr}`));
    });
  }

  static async start(
    standIn: StandIn,
    env: Record<string, string>,
    nodeArgs: readonly string[] = [],
  ): Promise<{ worker: WorkerProcess; supportedMethods: string[] }> {
    await ensureBuilt();
    return WorkerProcess.startFile(WORKER, env, [...standIn.nodeArgs, ...nodeArgs]);
  }

  /** The same for the worker of a package that was installed somewhere. */
  static async startFile(file: string, env: Record<string, string>, nodeArgs: readonly string[] = []) {
    const worker = new WorkerProcess(file, env, nodeArgs);
    const { supportedMethods } = (await worker.call("initialize", {
      manifest,
      config: {},
      instanceInfo: { instanceId: "instance-1", hostVersion: "2026.916.1" },
      apiVersion: 1,
    })) as { supportedMethods: string[] };
    return { worker, supportedMethods };
  }

  /** `more` stands beside the parameters, as the host's id of a call does. */
  call(method: string, params: unknown, more: object = {}): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin?.write(serializeMessage({ ...createRequest(method, params, id), ...more }));
    });
  }

  /** As the host does it; afterwards the stand-in has written its report. */
  async shutdown(): Promise<void> {
    const ended = this.#child.exitCode === null ? once(this.#child, "exit") : undefined;
    await this.call("shutdown", {});
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  #take(line: string): void {
    try {
      const message = parseMessage(line);
      this.received.push(message);
      if (!isJsonRpcResponse(message) || message.id === null || message.id === undefined) return;
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (isJsonRpcSuccessResponse(message)) waiting?.resolve(message.result);
      else if (isJsonRpcErrorResponse(message)) waiting?.reject(new JsonRpcCallError(message.error));
    } catch {
      this.strayLines.push(line);
    }
  }
}
