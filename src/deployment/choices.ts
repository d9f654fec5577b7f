import type { Release } from "../catalog/releases/release.ts";
import { nameOf } from "../catalog/settings/index.ts";
import type { ConfigPath } from "../base/config-path.ts";
import { readOrigin } from "../config/origin-url.ts";
import {
  MODEL_PROVIDER_NAMES,
  type ModelProviderName,
  TARGET_NAMES,
  type TargetName,
  type WrittenConfig,
} from "../config/written-config.ts";
import { coreValue, envValue, type PlacedValue } from "./env-values.ts";
import type { DeploymentInputs } from "./inputs.ts";
import { defaultOf, type Provenance, writtenAt } from "./provenance.ts";

/** The target of the command line, else of the config; null where neither names a known one. */
export function chooseTarget(inputs: DeploymentInputs, config: WrittenConfig): TargetName | null {
  return TARGET_NAMES.find((name) => name === inputs.flags.target) ?? config.target ?? null;
}

/** The origin of `publicUrl` that was certainly meant, even where it is not written in its canonical form. */
export function choosePublicOrigin(config: WrittenConfig): string | null {
  if (config.publicUrl === undefined) return null;
  const reading = readOrigin(config.publicUrl);
  return reading.ok ? reading.origin : reading.canonical;
}

/** Which provider serves models, and which harness runs agents. */
export interface ModelChoice {
  /** Null where nothing names a known one. */
  readonly provider: ModelProviderName | null;
  /** The config place that names the provider; null without one. */
  readonly providerPath: ConfigPath | null;
  /** `HARNESS` of core, trimmed; any text. Null only where the target is not known. */
  readonly harness: string | null;
  readonly harnessProvenance: Provenance | null;
}

/** Decides provider and harness as core will see them. A blank entry of `env` counts as none. */
export function chooseModel(config: WrittenConfig, release: Release, target: TargetName | null): ModelChoice {
  const provider = providerCandidates(config, release, target).find((candidate) => isProvider(candidate.value));
  const name = nameOf(release, "core.harness");
  const harness = coreValue(config, name);
  const byDefault: Provenance | null =
    target === null ? null : defaultOf(release, `${name} on ${target} when \`env.core\` sets none`);
  return {
    provider: (provider?.value as ModelProviderName | undefined) ?? null,
    providerPath: provider?.path ?? null,
    harness: harness?.value ?? (target === null ? null : release.defaultHarness[target]),
    harnessProvenance: harness === null ? byDefault : writtenAt(harness.path),
  };
}

/** Strongest first. On fly the config's own model settings beat what slack brings, elsewhere the reverse. */
function providerCandidates(config: WrittenConfig, release: Release, target: TargetName | null): PlacedValue[] {
  const name = nameOf(release, "core.modelProvider");
  const inCore = envValue(config, "core", name);
  const fromSlack = inCore === null ? coreValue(config, name) : null;
  const own: PlacedValue | null =
    config.modelProvider === undefined ? null : { value: config.modelProvider, path: ["modelProvider"] };
  const rest = target === "fly" ? [own, fromSlack] : [fromSlack, own];
  return [inCore, ...rest].filter((candidate) => candidate !== null);
}

function isProvider(value: string): boolean {
  return (MODEL_PROVIDER_NAMES as readonly string[]).includes(value);
}
