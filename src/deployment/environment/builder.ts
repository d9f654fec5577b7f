import type { ConfigPath } from "../../base/config-path.ts";
import { compareText } from "../../base/text-order.ts";
import type { EnvironmentEntry, Provenance, ShadowedValue } from "../provenance.ts";

/** Collects the environment of one workload, weakest layer first: a later value shadows an earlier one of its name. */
export class EnvironmentBuilder {
  readonly #entries = new Map<string, EnvironmentEntry>();

  put(name: string, value: string, provenance: Provenance): void {
    const before = this.#entries.get(name);
    const shadowed: readonly ShadowedValue[] =
      before === undefined ? [] : [...before.shadowed, { value: before.value, provenance: before.provenance }];
    this.#entries.set(name, { name, value, provenance, shadowed });
  }

  /** Puts a value that was written at this place. */
  putWritten(name: string, value: string, path: ConfigPath): void {
    this.put(name, value, { kind: "config", path });
  }

  /** Puts a value that was made from these places. */
  putDerived(name: string, value: string, from: readonly ConfigPath[], how: string): void {
    this.put(name, value, { kind: "derived", from, how });
  }

  /** Puts a value that the hosting target fixes. */
  putFixed(name: string, value: string, how: string): void {
    this.put(name, value, { kind: "target", how });
  }

  /** Takes a name out, where the target does not let the config set it and has no value of its own. */
  drop(name: string): void {
    this.#entries.delete(name);
  }

  get(name: string): EnvironmentEntry | undefined {
    return this.#entries.get(name);
  }

  /** The entries, sorted by name. */
  list(): readonly EnvironmentEntry[] {
    return [...this.#entries.values()].sort((a, b) => compareText(a.name, b.name));
  }
}
