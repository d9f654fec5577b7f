import { nameOf, type SettingKey } from "../../catalog/settings/index.ts";
import type { RunnableServiceName } from "../../config/written-config.ts";
import type { Release } from "../../catalog/releases/release.ts";
import { compareText } from "../../base/text-order.ts";
import type { DeploymentChoices } from "../deployment.ts";
import type { EnvironmentEntry, Provenance } from "../provenance.ts";

/** Adds one layer to an environment; a later layer wins where two have a value for a name. */
export type Layer = (env: EnvironmentBuilder) => void;

/** Collects the environment of one workload, weakest layer first. */
export class EnvironmentBuilder {
  readonly #entries = new Map<string, EnvironmentEntry>();
  readonly choices: DeploymentChoices;
  readonly release: Release;
  /** The service that the workload is; null for a plugin. */
  readonly service: RunnableServiceName | null;

  constructor(choices: DeploymentChoices, service: RunnableServiceName | null) {
    this.choices = choices;
    this.release = choices.release.release;
    this.service = service;
  }

  /** Puts a value under a name that is not a setting of ours to rename: one that the config or a backend names. */
  putName(name: string, value: string, provenance: Provenance): void {
    const before = this.#entries.get(name);
    const shadowed =
      before === undefined ? [] : [...before.shadowed, { value: before.value, provenance: before.provenance }];
    this.#entries.set(name, { name, value, provenance, shadowed });
  }

  /** Puts a value under the name that the release gives the setting. */
  put(key: SettingKey, value: string, provenance: Provenance): void {
    this.putName(nameOf(this.release, key), value, provenance);
  }

  /** Takes a setting out, where the target does not let the config set it and has no value of its own. */
  drop(key: SettingKey): void {
    this.#entries.delete(nameOf(this.release, key));
  }

  get(key: SettingKey): EnvironmentEntry | undefined {
    return this.#entries.get(nameOf(this.release, key));
  }

  /** The entries after these layers, sorted by name. */
  build(layers: readonly Layer[]): readonly EnvironmentEntry[] {
    for (const layer of layers) layer(this);
    return [...this.#entries.values()].sort((a, b) => compareText(a.name, b.name));
  }
}
