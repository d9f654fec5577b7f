import { withoutUndefined } from "../../base/without-undefined.ts";
import {
  beginning,
  errorText,
  KeyedQueue,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  MAX_LABEL_LENGTH,
  scopeName,
  type IdleTimers,
  type MachineSpec,
} from "../driver/index.ts";
import { failure, type MachinesByName } from "./machines-by-name.ts";
import { credentialLinkScript, credentialPlaces, type CredentialPath } from "./credential-links.ts";
import { placeLayers, type WorkspaceSource } from "./layers.ts";
import { HIBERNATE_SECONDS, PREPARE_MS, READY_MS } from "./timeouts.ts";
import { handleOf } from "./handle.ts";
import { HOME } from "./paths.ts";
import type { ProvisionOptions, SandboxHandle, TeardownOptions, WorkspaceLayer } from "./sandbox.ts";
import { deleteMachine, ScratchMachines } from "./scratch-machines.ts";
import type { BoxdSandboxSettings } from "./settings.ts";

export interface LifecycleOptions extends Partial<
  Pick<BoxdSandboxSettings, "namePrefix" | "vcpu" | "diskGb" | "egressProxyUrl">
> {
  /** seconds until boxd suspends or hibernates an unused machine; default no suspending and hibernation after four hours, `null` leaves boxd's defaults */
  idle?: IdleTimers | null;
  /** places in the home that become links to ephemeral storage besides the usual ones, on all machines but scratch ones */
  credentialPaths?: readonly CredentialPath[];
}

const DEFAULT_IDLE: IdleTimers = { suspendSeconds: 0, hibernateSeconds: HIBERNATE_SECONDS };

/** From layers to a prepared machine, and back. Whatever concerns one machine happens one after the other. */
export class Lifecycle {
  readonly #machines: MachinesByName;
  readonly #workspace: WorkspaceSource;
  readonly #options: LifecycleOptions;
  readonly #scratch: ScratchMachines;
  readonly #queue = new KeyedQueue();
  readonly #scopes = new Map<string, string>();

  constructor(machines: MachinesByName, workspace: WorkspaceSource, options: LifecycleOptions) {
    this.#machines = machines;
    this.#workspace = workspace;
    this.#options = options;
    this.#scratch = new ScratchMachines(machines);
  }

  /** A running machine with its workspace, links and layers. When preparing fails, a scratch machine is let go and the error thrown. */
  async provision(layers: readonly WorkspaceLayer[], asked: ProvisionOptions = {}): Promise<SandboxHandle> {
    const name = this.#nameFor(layers, asked);
    return this.#queue.run(name, async () => {
      const handle = handleOf(name, await this.#machineFor(name, asked), asked, this.#options.egressProxyUrl);
      try {
        await this.#prepare(handle, layers);
        return handle;
      } catch (error) {
        if (handle.scratch === true)
          await this.#scratch.release(name).catch((trouble: unknown) => this.#deleteFailed(name, trouble));
        throw error;
      }
    });
  }

  /** A machine stays unless it is a scratch one or `destroy` is asked for. A deletion that fails is reported; one of a scratch machine that was asked for is thrown. */
  async teardown(handle: SandboxHandle, { destroy = false }: TeardownOptions = {}): Promise<void> {
    await this.#queue.run(handle.id, async () => {
      if (handle.scratch !== true && !destroy) return;
      try {
        await (handle.scratch === true ? this.#scratch.release(handle.id) : deleteMachine(this.#machines, handle.id));
      } catch (error) {
        if (handle.scratch === true && destroy) throw failure("teardown", handle.id, errorText(error), error);
        this.#deleteFailed(handle.id, error);
      }
    });
  }

  #nameFor(layers: readonly WorkspaceLayer[], asked: ProvisionOptions): string {
    const { namePrefix = "qm" } = this.#options;
    if (asked.scratch !== undefined) return scopeName(`${namePrefix}-scratch`, asked.scratch.key);
    const scope = (layers.find((layer) => layer.mode === "rw") ?? layers[0])?.scopeId ?? "default";
    const name = scopeName(namePrefix, scope);
    this.#scopes.set(name, scope);
    return name;
  }

  /** True when the machine is new. */
  async #machineFor(name: string, asked: ProvisionOptions): Promise<boolean> {
    try {
      if (asked.scratch !== undefined)
        return await this.#scratch.acquire(name, this.#specFor("qm-scratch", asked.scratch.key));
      if ((await this.#machines.find(name)) === undefined) announce(asked);
      const driver = await this.#machines.driver.get();
      const spec = this.#specFor("qm-scope", this.#scopes.get(name) ?? "");
      const { machine, created } = await driver.getOrCreate(name, spec, { timeoutMs: READY_MS });
      this.#machines.ids.set(name, machine.id);
      return created;
    } catch (error) {
      throw failure("provision", name, errorText(error), error);
    }
  }

  /** What every machine is to be like; its label says whose it is, as far as a label can hold that. */
  #specFor(label: "qm-scope" | "qm-scratch", owner: string): MachineSpec {
    const { vcpu, diskGb, idle = DEFAULT_IDLE } = this.#options;
    const disk = diskGb === undefined ? undefined : `${String(diskGb)}G`;
    const shown = beginning(owner.replaceAll(/\p{Cc}/gu, " "), MAX_LABEL_LENGTH);
    return withoutUndefined({ vcpu, disk, idle, labels: { [MANAGED_BY_LABEL]: MANAGED_BY, [label]: shown } });
  }

  async #prepare(handle: SandboxHandle, layers: readonly WorkspaceLayer[]): Promise<void> {
    const lines = [`mkdir -p ${handle.rootDir} || exit 1`];
    if (handle.scratch !== true)
      lines.push(credentialLinkScript(HOME, credentialPlaces(this.#options.credentialPaths)));
    await this.#machines.script(handle.id, "prepare", lines.join("\n"), PREPARE_MS);
    await placeLayers(this.#machines, this.#workspace, handle, layers);
  }

  #deleteFailed(name: string, error: unknown): void {
    // With its name: a look-up that fails does not know it, and a scratch machine has no scope to be found by.
    const { message } = failure("teardown", name, errorText(error));
    const incident = { category: "sandbox_teardown", code: "machine_delete_failed", message } as const;
    this.#machines.report(withoutUndefined({ ...incident, scopeLabel: this.#scopes.get(name) }));
  }
}

function announce({ onStatus }: ProvisionOptions): void {
  try {
    onStatus?.("creating the sandbox");
  } catch {
    // What a listener does is no reason to fail.
  }
}
