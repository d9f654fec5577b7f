import { CleanupUnconfirmedError, type Deadline, type MachineDriver } from "../driver/index.ts";
import { ProviderError } from "./container-provider.ts";

type State =
  | { readonly kind: "free" }
  /** the machine may exist: it was asked for, or could not be deleted */
  | { readonly kind: "reserved"; readonly name: string; readonly id: string | undefined }
  | { readonly kind: "active"; readonly name: string; readonly id: string; readonly url: string };

/** The one machine of a provider, from the choice of its name until it is proved to be gone. */
export class MachineLease {
  #state: State = { kind: "free" };

  get isFree(): boolean {
    return this.#state.kind === "free";
  }

  active(): { readonly id: string; readonly url: string } {
    if (this.#state.kind === "active") return this.#state;
    throw new ProviderError("NOT_STARTED", "no container is started");
  }

  /** The id of the machine behind this base URL, or null when it is not this one's. */
  owns(baseUrl: string): string | null {
    return this.#state.kind === "active" && this.#state.url === baseUrl ? this.#state.id : null;
  }

  /** Before boxd is asked: from now on the machine can be found by its name. */
  reserve(name: string): void {
    this.#state = { kind: "reserved", name, id: undefined };
  }

  settle(id: string, url: string): void {
    if (this.#state.kind === "reserved") this.#state = { kind: "active", name: this.#state.name, id, url };
  }

  /** After a failed start: free, unless the error says that the machine may still exist. */
  failed(error: unknown): void {
    if (!(error instanceof CleanupUnconfirmedError)) this.#state = { kind: "free" };
    else this.#state = { kind: "reserved", name: error.left.name, id: error.left.id };
  }

  /** Deletes the machine. Free only when that is confirmed; throws otherwise. */
  async remove(driver: MachineDriver, deadline: Deadline): Promise<void> {
    if (this.#state.kind === "free") return;
    const { name } = this.#state;
    // Without an id the create call was never answered; the driver then finds it by the name. That is random: who bears it is ours.
    await driver.deleteConfirmed(this.#state.id ?? name, deadline, { name });
    this.#state = { kind: "free" };
  }
}
