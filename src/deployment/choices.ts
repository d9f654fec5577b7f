import type { Release } from "../catalog/releases/release.ts";
import type { ConfigDocument } from "../config/document.ts";
import type { LoadedConfig } from "../config/loaded.ts";
import { readOrigin } from "../config/origin-url.ts";
import { type ServiceName, TARGET_NAMES, type TargetName, type WrittenConfig } from "../config/written-config.ts";
import type { SandboxSelection } from "./deployment.ts";
import type { DeploymentInputs } from "./inputs.ts";
import { chooseModel, type ModelChoice } from "./model-choice.ts";
import { findPlugins, type Plugin } from "./plugins.ts";
import { selectBackends } from "./backend-selection.ts";

/** What is decided of a deployment before its workloads and secrets are worked out. */
export interface DeploymentChoices {
  readonly inputs: DeploymentInputs;
  readonly document: ConfigDocument;
  readonly config: WrittenConfig;
  readonly release: Release;
  readonly target: TargetName | null;
  readonly publicOrigin: string | null;
  /** Enabled services, without duplicates, in config order. */
  readonly services: readonly ServiceName[];
  readonly sandbox: SandboxSelection;
  readonly model: ModelChoice;
  readonly plugins: readonly Plugin[];
}

/** Decides what workloads and secrets rest on. */
export function resolveChoices(
  inputs: DeploymentInputs,
  { config, document }: LoadedConfig,
  release: Release,
): DeploymentChoices {
  const target = chooseTarget(inputs, config);
  return {
    inputs,
    document,
    config,
    release,
    target,
    publicOrigin: publicOrigin(config),
    services: [...new Set(config.services ?? [])],
    sandbox: selectBackends(config, release, target),
    model: chooseModel(config, release, target),
    plugins: findPlugins(config, document, inputs),
  };
}

/** The target of the command line, else of the config. */
function chooseTarget(inputs: DeploymentInputs, config: WrittenConfig): TargetName | null {
  return TARGET_NAMES.find((name) => name === inputs.flags.target) ?? config.target ?? null;
}

/** The origin that was certainly meant, even where it is not written in its canonical form. */
function publicOrigin(config: WrittenConfig): string | null {
  if (config.publicUrl === undefined) return null;
  const reading = readOrigin(config.publicUrl);
  return reading.ok ? reading.origin : reading.canonical;
}
