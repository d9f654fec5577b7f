import type { Release } from "../catalog/releases/release.ts";
import {
  MODEL_PROVIDER_NAMES,
  type ModelProviderName,
  type TargetName,
  type WrittenConfig,
} from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";
import { coreValue, envValue, type PlacedValue } from "./env-values.ts";
import type { Provenance } from "./provenance.ts";

/** Which provider serves models, and which harness runs agents. */
export interface ModelChoice {
  /** Null where nothing names a known one. */
  readonly provider: ModelProviderName | null;
  /** The config place that names the provider; null without one. */
  readonly providerPath: ConfigPath | null;
  /** `HARNESS` of core, trimmed; any text. Null only where the target is not known. */
  readonly harness: string | null;
  readonly harnessOrigin: Provenance | null;
}

/** Decides provider and harness as core will see them. A blank entry of `env` counts as none. */
export function chooseModel(config: WrittenConfig, release: Release, target: TargetName | null): ModelChoice {
  const provider = providerCandidates(config, target).find((candidate) => isProvider(candidate.value));
  const harness = coreValue(config, "HARNESS");
  return {
    provider: (provider?.value as ModelProviderName | undefined) ?? null,
    providerPath: provider?.path ?? null,
    harness: harness?.value ?? (target === null ? null : release.defaultHarness[target]),
    harnessOrigin: harness === null ? defaultHarness(release, target) : { kind: "config", path: harness.path },
  };
}

/** Strongest first. On fly the config's own model settings beat what slack brings, elsewhere the reverse. */
function providerCandidates(config: WrittenConfig, target: TargetName | null): readonly PlacedValue[] {
  const inCore = envValue(config, "core", "MODEL_PROVIDER");
  const all = coreValue(config, "MODEL_PROVIDER");
  const fromSlack = inCore === null ? all : null;
  const own: PlacedValue | null =
    config.modelProvider === undefined ? null : { value: config.modelProvider, path: ["modelProvider"] };
  const rest = target === "fly" ? [own, fromSlack] : [fromSlack, own];
  return [inCore, ...rest].filter((candidate) => candidate !== null);
}

function defaultHarness(release: Release, target: TargetName | null): Provenance | null {
  return target === null
    ? null
    : { kind: "default", release: release.version, how: `HARNESS on ${target} when \`env.core\` sets none` };
}

function isProvider(value: string): boolean {
  return (MODEL_PROVIDER_NAMES as readonly string[]).includes(value);
}
