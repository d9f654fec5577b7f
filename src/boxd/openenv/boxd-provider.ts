import { withoutUndefined } from "../../base/without-undefined.ts";
import { Deadline, LazyDriver, systemClock, type MachineDriver } from "../driver/index.ts";
import { assertMilliseconds, secureBase } from "./connection.ts";
import { ProviderError, type ContainerProvider, type StartOptions, type WaitOptions } from "./container-provider.ts";
import { Docker } from "./docker.ts";
import { dockerfileImage } from "./dockerfile-image.ts";
import { waitUntilHealthy } from "./health.ts";
import { decodeHandle, encodeHandle } from "./machine-handle.ts";
import { MachineLease } from "./machine-lease.ts";
import { checkOptions, checkStart, OWN_LABELS, type BoxdProviderOptions, type ContainerStart } from "./options.ts";
import { SecretRedactor } from "./redactor.ts";
import { startServer } from "./start-server.ts";

const DEFAULT_START_MS = 900_000;
const DEFAULT_READY_MS = 120_000;
const STOP_MS = 60_000;
const LOG_CHARS = 2_000;

/**
 * Runs an OpenEnv environment in docker on a boxd machine of its own, which is made by `startContainer` and deleted by `stopContainer`.
 * `await using provider = new BoxdProvider({ public: true, image })` does the latter in any case.
 */
export class BoxdProvider implements ContainerProvider {
  readonly #options: BoxdProviderOptions;
  readonly #redactor = new SecretRedactor();
  readonly #lease = new MachineLease();
  #driver: LazyDriver | undefined;
  #starting: { readonly controller: AbortController; readonly done: Promise<unknown> } | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: BoxdProviderOptions) {
    checkOptions(options);
    // A copy, deep where it was checked: what the caller changes later was not.
    const { envVars, egressAllow, command, labels, ...rest } = options;
    this.#options = withoutUndefined({
      ...rest,
      labels: labels && { ...labels },
      envVars: envVars && { ...envVars },
      egressAllow: egressAllow && [...egressAllow],
      command: command && [...command],
    });
    this.#redactor.add(...Object.values(options.envVars ?? {}), ...(options.name === undefined ? [] : [options.name]));
  }

  /** An image for `startContainer` that is built on the machine; see `dockerfileImage`. */
  static imageFromDockerfile(path: string, options: { contextDir?: string } = {}): string {
    return dockerfileImage(path, options.contextDir);
  }

  /**
   * A provider for the container that another one has started, in this process or another: of its handle (see `detach`), or, where the start's end was not
   * heard of, of the machine's name, which is good for stopping alone. Throws TypeError for a handle that `detach` has not written.
   */
  static attach(options: BoxdProviderOptions, started: { handle: string } | { name: string }): BoxdProvider {
    const provider = new BoxdProvider(options);
    if ("name" in started) {
      provider.#redactor.add(started.name);
      provider.#lease.claim(started.name, OWN_LABELS);
      return provider;
    }
    const handle = decodeHandle(started.handle);
    provider.#redactor.add(handle.name);
    provider.#redactor.addUrl(handle.url);
    provider.#lease.settle(handle, OWN_LABELS);
    return provider;
  }

  /** Id of the machine. Throws when nothing is started. */
  get machineId(): string {
    return this.#lease.active().id;
  }

  /** The part of the base URL that is secret. Throws when nothing is started. */
  get machineName(): string {
    return this.#lease.active().name;
  }

  /** Who has it can use the environment: do not log it. Throws when nothing is started. */
  get baseUrl(): string {
    return this.#lease.active().url;
  }

  /** When boxd deletes the machine by itself, null for never. Throws when nothing is started. */
  get expiresAt(): Date | null {
    return this.#lease.active().expiresAt;
  }

  /**
   * Gives the container out of this provider's hands, and the connection to boxd back: the container runs on, and `attach` takes it up by the handle that this
   * answers, a secret. Throws when nothing is started.
   */
  async detach(): Promise<string> {
    const handle = encodeHandle(this.#lease.release());
    await this.#driver?.close();
    return handle;
  }

  async startContainer(image?: string, options: StartOptions = {}): Promise<string> {
    const chosen = checkStart(this.#options, image, options);
    if (this.#starting !== undefined || this.#stopping !== undefined || !this.#lease.isFree) {
      const problem = "this provider has a container, or a machine that could not be removed yet: stop it first";
      throw new ProviderError("ALREADY_STARTED", problem);
    }
    this.#redactor.add(...Object.values(chosen.envVars));
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, options.signal ?? controller.signal]);
    const start = this.#start(chosen, signal);
    this.#starting = { controller, done: start.catch(() => undefined) };
    try {
      return await start;
    } finally {
      this.#starting = undefined;
    }
  }

  async waitForReady(baseUrl: string, options: WaitOptions = {}): Promise<void> {
    const base = secureBase(baseUrl);
    assertMilliseconds("waitForReady: `timeoutMs`", options.timeoutMs);
    this.#redactor.addUrl(base);
    try {
      const driver = await this.#open();
      const own = this.#lease.owns(base);
      const docker = own === null ? null : new Docker(driver, own, this.#surface());
      const deadline = driver.deadline(options.timeoutMs ?? DEFAULT_READY_MS, options.signal);
      const { connection = {}, times = {} } = this.#options;
      await waitUntilHealthy(base, docker, connection, times.pollMs ?? Infinity, deadline);
    } catch (error) {
      throw this.#redactor.redactError(error, "NOT_READY");
    }
  }

  /**
   * Deletes the machine and proves it, a start that is under way included. What could not be deleted is kept, to be tried again. It takes a minute at most, what
   * an ended start takes to leave nothing included (see `startTimeoutMs`).
   */
  async stopContainer(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined;
    });
    await this.#stopping;
  }

  /** `stopContainer`, then the connection to boxd is given back. */
  async close(): Promise<void> {
    await this.stopContainer();
    await this.#driver?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(plan: ContainerStart, signal: AbortSignal): Promise<string> {
    const { name, namePrefix = "openenv", labels, deleteAfterSeconds = 3_600, autoSuspendSeconds = 0 } = this.#options;
    const { vcpu, memory, startTimeoutMs = DEFAULT_START_MS } = this.#options;
    const expiry = deleteAfterSeconds === null ? undefined : { afterSeconds: deleteAfterSeconds, final: true };
    let url = "";
    try {
      const driver = await this.#open();
      const machine = await driver.createOwned(
        {
          namePrefix,
          isolated: true,
          labels: { ...labels, ...OWN_LABELS },
          idle: { suspendSeconds: autoSuspendSeconds, hibernateSeconds: 0 },
          ...withoutUndefined({ name, vcpu, memory, expiry }),
          onHandle: (handle) => {
            this.#redactor.add(handle.name);
            this.#lease.reserve(handle.name);
          },
          prepare: async ({ id }, deadline) => {
            url = await driver.httpsUrl(id, deadline);
            this.#redactor.addUrl(url);
            const docker = new Docker(driver, id, this.#surface());
            await startServer({ driver, id, docker, deadline, plan });
          },
        },
        { timeoutMs: startTimeoutMs, signal },
      );
      this.#lease.settle({ name: machine.name, id: machine.id, url, expiresAt: machine.expiresAt ?? null });
      return url;
    } catch (error) {
      // Without such an error the driver has proved that nothing is left.
      this.#lease.failed(error);
      throw this.#redactor.redactError(error, "START_FAILED");
    }
  }

  async #stop(): Promise<void> {
    // One time for all of it: what the start uses to delete its machine is not there for trying it again.
    const deadline = new Deadline(this.#options.clock ?? systemClock, STOP_MS);
    this.#starting?.controller.abort(new Error("the provider was stopped"));
    await this.#starting?.done;
    if (this.#lease.isFree) return;
    try {
      await this.#lease.remove(await this.#open(), deadline);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      const { message } = this.#redactor.redactError(error, "CLEANUP_FAILED");
      throw new ProviderError("CLEANUP_FAILED", `the machine may still exist, stop again: ${message}`);
    }
  }

  /** The driver. An attempt that fails is forgotten, key and all. */
  async #open(): Promise<MachineDriver> {
    this.#driver ??= this.#lazyDriver();
    return this.#driver.get().catch((error: unknown) => {
      this.#driver = undefined;
      throw error;
    });
  }

  #lazyDriver(): LazyDriver {
    const { client, baseURL, org, clock, times, envVars = {} } = this.#options;
    const apiKey = this.#options.apiKey ?? process.env["BOXD_API_KEY"] ?? "";
    this.#redactor.add(apiKey);
    const connection = withoutUndefined({ apiKey, baseURL });
    const secrets = [apiKey, ...Object.values(envVars)];
    return new LazyDriver({ connection, secrets, ...withoutUndefined({ client, org, clock, times }) });
  }

  #surface(): ((output: string) => string) | null {
    return this.#options.surfaceServerLogs === true ? (output) => this.#redactor.tail(output, LOG_CHARS) : null;
  }
}
