import {
  CleanupUnconfirmedError,
  compareLabels,
  type Deadline,
  type Labels,
  type MachineDriver,
} from "../driver/index.ts";
import { ProviderError } from "./container-provider.ts";
import type { MachineHandle } from "./machine-handle.ts";

type State =
  | { readonly kind: "free" }
  /** the machine may exist: it was asked for, or could not be deleted */
  | { readonly kind: "reserved"; readonly name: string; readonly id: string | undefined }
  /** somebody says that it may exist, and that it is ours */
  | { readonly kind: "claimed"; readonly name: string; readonly labels: Labels }
  | { readonly kind: "active"; readonly handle: MachineHandle; readonly labels: Labels | null };

/** The one machine of a provider, from the choice of its name until it is proved to be gone. */
export class MachineLease {
  #state: State = { kind: "free" };

  get isFree(): boolean {
    return this.#state.kind === "free";
  }

  active(): MachineHandle {
    if (this.#state.kind === "active") return this.#state.handle;
    throw new ProviderError("NOT_STARTED", "no container is started");
  }

  /** The id of the machine behind this base URL, or null when it is not this one's. */
  owns(baseUrl: string): string | null {
    return this.#state.kind === "active" && this.#state.handle.url === baseUrl ? this.#state.handle.id : null;
  }

  /** Before boxd is asked: from now on the machine can be found by its name. */
  reserve(name: string): void {
    this.#state = { kind: "reserved", name, id: undefined };
  }

  /** A machine that runs. With labels it is somebody's word that it is ours, which is so unless its labels say otherwise. */
  settle(handle: MachineHandle, labels: Labels | null = null): void {
    this.#state = { kind: "active", handle, labels };
  }

  /** A machine of which only the name is known. It is ours unless its labels say otherwise. */
  claim(name: string, labels: Labels): void {
    this.#state = { kind: "claimed", name, labels };
  }

  /** The machine is somebody else's to delete from now on. */
  release(): MachineHandle {
    const handle = this.active();
    this.#state = { kind: "free" };
    return handle;
  }

  /** After a failed start: free, unless the error says that the machine may still exist. */
  failed(error: unknown): void {
    if (!(error instanceof CleanupUnconfirmedError)) this.#state = { kind: "free" };
    else this.#state = { kind: "reserved", name: error.left.name, id: error.left.id };
  }

  /** Deletes the machine. Free only when that is confirmed; throws otherwise. */
  async remove(driver: MachineDriver, deadline: Deadline): Promise<void> {
    const state = this.#state;
    if (state.kind === "free") return;
    const { name, id } = state.kind === "active" ? state.handle : { id: undefined, ...state };
    const labels = state.kind === "reserved" ? null : state.labels;
    if (labels !== null) await assertOwn(driver, { name, id, labels }, deadline);
    // Without an id the create call was never answered; the driver then finds it by the name. That is random: who bears it is ours.
    await driver.deleteSettled(id ?? name, deadline, { name });
    this.#state = { kind: "free" };
  }
}

async function assertOwn(
  driver: MachineDriver,
  { name, id, labels }: { readonly name: string; readonly id: string | undefined; readonly labels: Labels },
  deadline: Deadline,
): Promise<void> {
  const rows = await driver.list({}, deadline);
  // boxd takes a name in the place of an id, so either may be either.
  const meant = [name, id];
  if (
    rows.some(
      (row) => (meant.includes(row.name) || meant.includes(row.id)) && compareLabels(row, labels) === "contradict",
    )
  )
    throw new ProviderError("NOT_OURS", "the machine is not of an OpenEnv provider: it was left alone");
}
