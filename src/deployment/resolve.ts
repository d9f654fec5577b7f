import type { LoadedConfig } from "../config/loaded.ts";
import { readOrigin } from "../config/origin-url.ts";
import { TARGET_NAMES, type TargetName, type WrittenConfig } from "../config/written.ts";
import { readEnvFile } from "../envfile/index.ts";
import type { Basis } from "./basis.ts";
import type { Deployment } from "./deployment.ts";
import type { DeploymentInputs } from "./inputs.ts";
import { chooseModel } from "./model.ts";
import { findPlugins } from "./plugins.ts";
import { chooseRelease } from "./release/choose.ts";
import { catalogueSecrets } from "./secrets/index.ts";
import { selectBackends } from "./selection.ts";
import { workOutWorkloads } from "./workloads.ts";

/**
 * Decides everything about a deployment that more than one part of the program asks for. Never throws for bad input:
 * what cannot be decided is null or left out, and why is in the diagnostics of the config or found by a rule.
 */
export function resolveDeployment(inputs: DeploymentInputs, loaded: LoadedConfig): Deployment {
  const { config, document } = loaded;
  const choice = chooseRelease(inputs);
  const { release } = choice;
  const target = chooseTarget(inputs, config);
  const basis: Basis = {
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
  return {
    inputs,
    document,
    config,
    release: choice,
    target,
    publicOrigin: basis.publicOrigin,
    sandbox: basis.sandbox,
    model: basis.model,
    services: basis.services,
    workloads: workOutWorkloads(basis),
    secrets: catalogueSecrets(basis),
    env: inputs.envFile === null ? null : readEnvFile(inputs.envFile.text),
    broken: document.broken,
    diagnostics: [...loaded.diagnostics, ...choice.notices],
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
