import type { LoadedConfig } from "../config/loaded.ts";
import { readEnvFile } from "../envfile/index.ts";
import { resolveChoices } from "./choices.ts";
import type { Deployment } from "./deployment.ts";
import type { DeploymentInputs } from "./inputs.ts";
import { chooseRelease } from "./release/choose.ts";
import { catalogueSecrets } from "./secrets/index.ts";
import { resolveWorkloads } from "./workloads.ts";

/**
 * Decides everything about a deployment that more than one part of the program asks for. Never throws for bad input:
 * what cannot be decided is null or left out, and why is in the diagnostics of the config or found by a rule.
 */
export function resolveDeployment(inputs: DeploymentInputs, loaded: LoadedConfig): Deployment {
  const choice = chooseRelease(inputs);
  const basis = resolveChoices(inputs, loaded, choice.release);
  const { document, config, target } = basis;
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
    workloads: resolveWorkloads(basis),
    secrets: catalogueSecrets(basis),
    env: inputs.envFile === null ? null : readEnvFile(inputs.envFile.text),
    broken: document.broken,
    diagnostics: [...loaded.diagnostics, ...choice.notices],
  };
}
