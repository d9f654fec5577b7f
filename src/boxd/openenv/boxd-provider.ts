import { Deadline, MachineDriver, openBoxd, systemClock, type OpenedBoxd } from "../driver/index.ts";
import { secureBase } from "./connection.ts";
import { Docker } from "./docker.ts";
import { dockerfileImage } from "./dockerfile-image.ts";
import { ProviderError } from "./errors.ts";
import { assertMilliseconds } from "./milliseconds.ts";
import { checkOptions, checkStart, type BoxdProviderOptions } from "./options.ts";
import type { ContainerProvider, StartOptions, WaitOptions } from "./container-provider.ts";
import { waitUntilHealthy } from "./health.ts";
import { startSteps } from "./start-steps.ts";
import { MachineLease } from "./machine-lease.ts";
import { SecretRedactor } from "./redactor.ts";

const DEFAULT_START_MS = 900_000;
const DEFAULT_READY_MS = 120_000;
const STOP_MS = 60_000;
const LOG_CHARS = 2_000;
const LABELS = { "managed-by": "openenv" } as const;

/**
 * Runs an OpenEnv environment in docker on a boxd machine of its own, which is made by `startContainer` and deleted by `stopContainer`.
 * `await using provider = new BoxdProvider({ public: true, image })` does the latter in any case.
 */
export class BoxdProvider implements ContainerProvider {
  readonly #options: BoxdProviderOptions;
  readonly #veil = new SecretRedactor();
  readonly #tenancy = new MachineLease();
  /** the promise, so that two who need it at once share one connection */
  #opened: Promise<OpenedBoxd> | undefined;
  #driver: MachineDriver | undefined;
  #starting: { readonly controller: AbortController; readonly done: Promise<unknown> } | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: BoxdProviderOptions) {
    checkOptions(options);
    // Deep where it was checked: what the caller changes later was not.
    const { envVars, egressAllow, command } = options;
    this.#options = {
      ...options,
      ...(envVars === undefined ? {} : { envVars: { ...envVars } }),
      ...(egressAllow === undefined ? {} : { egressAllow: [...egressAllow] }),
      ...(command === undefined ? {} : { command: [...command] }),
    };
    this.#veil.add(...Object.values(options.envVars ?? {}));
  }

  /** An image for `startContainer` that is built on the machine; see `dockerfileImage`. */
  static imageFromDockerfile(path: string, options: { contextDir?: string } = {}): string {
    return dockerfileImage(path, options.contextDir);
  }

  /** Id of the machine. Throws when nothing is started. */
  get machineId(): string {
    return this.#tenancy.active().id;
  }

  /** Who has it can use the environment: do not log it. Throws when nothing is started. */
  get baseUrl(): string {
    return this.#tenancy.active().url;
  }

  async startContainer(image?: string, options: StartOptions = {}): Promise<string> {
    const chosen = checkStart(this.#options, image, options);
    if (this.#starting !== undefined || this.#stopping !== undefined || !this.#tenancy.isFree) {
      throw new ProviderError(
        "ALREADY_STARTED",
        "this provider has a container, or a machine that could not be removed yet: stop it first",
      );
    }
    this.#veil.add(...Object.values(chosen.envVars));
    const controller = new AbortController();
    const signal =
      options.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, options.signal]);
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
    this.#veil.addUrl(base);
    try {
      const driver = await this.#open();
      const own = this.#tenancy.owns(base);
      const docker = own === null ? null : new Docker(driver, own, this.#surface());
      const deadline = driver.deadline(options.timeoutMs ?? DEFAULT_READY_MS, options.signal);
      await waitUntilHealthy(
        base,
        docker,
        this.#options.connection ?? {},
        this.#options.times?.pollMs ?? Infinity,
        deadline,
      );
    } catch (error) {
      throw this.#veil.cover(error, "NOT_READY");
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
    const opened = this.#opened;
    this.#opened = undefined;
    this.#driver = undefined;
    await (await opened)?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(
    chosen: { image: string; envVars: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<string> {
    const {
      namePrefix = "openenv",
      deleteAfterSeconds = 3_600,
      autoSuspendSeconds = 0,
      vcpu,
      memory,
      startTimeoutMs,
    } = this.#options;
    let url = "";
    try {
      const driver = await this.#open();
      const plan = {
        ...chosen,
        command: this.#options.command ?? [],
        egressAllow: this.#options.egressAllow,
        surface: this.#surface(),
        onUrl: (found: string) => {
          url = found;
          this.#veil.addUrl(found);
        },
      };
      const machine = await driver.createOwned(
        {
          namePrefix,
          isolated: true,
          labels: LABELS,
          idle: { suspendSeconds: autoSuspendSeconds, hibernateSeconds: 0 },
          ...(vcpu === undefined ? {} : { vcpu }),
          ...(memory === undefined ? {} : { memory }),
          ...(deleteAfterSeconds === null ? {} : { expiry: { afterSeconds: deleteAfterSeconds } }),
          onHandle: ({ name }) => {
            this.#veil.add(name);
            this.#tenancy.reserve(name);
          },
          prepare: (made, deadline) => startSteps(driver, made.id, plan, deadline),
        },
        { timeoutMs: startTimeoutMs ?? DEFAULT_START_MS, signal },
      );
      this.#tenancy.settle(machine.id, url);
      return url;
    } catch (error) {
      // Without such an error the driver has proved that nothing is left.
      this.#tenancy.failed(error);
      throw this.#veil.cover(error, "START_FAILED");
    }
  }

  async #stop(): Promise<void> {
    // One time for all of it: what the start uses to delete its machine is not there for trying it again.
    const deadline = new Deadline(this.#options.clock ?? systemClock, STOP_MS);
    const starting = this.#starting;
    if (starting !== undefined) {
      starting.controller.abort(new Error("the provider was stopped"));
      await starting.done;
    }
    if (this.#tenancy.isFree) return;
    try {
      const driver = await this.#open();
      await this.#tenancy.remove(driver, deadline);
    } catch (error) {
      throw new ProviderError(
        "CLEANUP_FAILED",
        `the machine may still exist, stop again: ${this.#veil.cover(error, "CLEANUP_FAILED").message}`,
      );
    }
  }

  async #open(): Promise<MachineDriver> {
    if (this.#driver !== undefined) return this.#driver;
    const { client, baseURL, org, clock, times } = this.#options;
    const apiKey = this.#options.apiKey ?? process.env["BOXD_API_KEY"] ?? "";
    this.#veil.add(apiKey);
    const chosen = client ?? (await this.#connect({ apiKey, ...(baseURL === undefined ? {} : { baseURL }) })).client;
    this.#driver ??= new MachineDriver({
      client: chosen,
      secrets: [apiKey, ...Object.values(this.#options.envVars ?? {})],
      ...(org === undefined ? {} : { org }),
      ...(clock === undefined ? {} : { clock }),
      ...(times === undefined ? {} : { times }),
    });
    return this.#driver;
  }

  async #connect(how: Parameters<typeof openBoxd>[0]): Promise<OpenedBoxd> {
    this.#opened ??= openBoxd(how).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  #surface(): ((output: string) => string) | null {
    return this.#options.surfaceServerLogs === true ? (output) => this.#veil.tail(output, LOG_CHARS) : null;
  }
}
