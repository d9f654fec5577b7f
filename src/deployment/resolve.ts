import { loadConfig, type LoadedConfig } from "../config/load.ts";
import { type EnvDocument, readEnvFile, type ReferenceReading, withReadings } from "../envfile/index.ts";
import { selectBackends } from "./backend-selection.ts";
import { chooseModel, choosePublicOrigin, chooseTarget } from "./choices.ts";
import type { Deployment, DeploymentChoices } from "./deployment.ts";
import type { DeploymentInputs, EnvFileInput } from "./inputs.ts";
import { findPlugins } from "./plugins.ts";
import { chooseRelease } from "./release/choose.ts";
import { listSecrets } from "./secrets/catalogue.ts";
import { findSkills } from "./skills.ts";
import { findTools } from "./tools.ts";
import { resolveWorkloads } from "./workloads.ts";

/**
 * Decides everything about a deployment that more than one part of the program asks for. Never throws for bad input:
 * what cannot be decided is null or left out, and why is in the diagnostics of the config or found by a rule.
 */
export function resolveDeployment(inputs: DeploymentInputs, loaded: LoadedConfig): Deployment {
  const { document, config } = loaded;
  const release = chooseRelease(inputs);
  const target = chooseTarget(inputs, config);
  const choices: DeploymentChoices = {
    inputs,
    document,
    config,
    release,
    target,
    publicOrigin: choosePublicOrigin(config),
    services: [...new Set(config.services ?? [])],
    sandbox: selectBackends(config, release.release, target),
    model: chooseModel(config, release.release, target),
    plugins: findPlugins(config, document, inputs),
  };
  return {
    ...choices,
    workloads: resolveWorkloads(choices),
    secrets: listSecrets(choices),
    env: readEnv(inputs),
    tools: findTools(inputs),
    skills: findSkills(inputs, target),
    broken: document.broken,
    diagnostics: [...loaded.diagnostics, ...release.notices],
  };
}

/** The same surroundings with another text of the config. `most` is as for {@link loadConfig}. */
export function withConfigText({ inputs }: Deployment, text: string, most?: number): Deployment {
  const config = { ...inputs.config, text };
  return resolveDeployment({ ...inputs, config }, loadConfig(config, most));
}

/** The same files with other package.json files, which alone choose the release. */
export function withPackageFiles({ inputs }: Deployment, packageFiles: DeploymentInputs["packageFiles"]): Deployment {
  const flags = { ...inputs.flags, release: null };
  return resolveDeployment({ ...inputs, packageFiles, flags }, loadConfig(inputs.config));
}

/** The same deployment with another `.env`, which decides nothing else: only its values are in it. */
export function withEnvFile(deployment: Deployment, envFile: EnvFileInput | null): Deployment {
  const { readings: _, ...others } = deployment.inputs;
  const inputs = { ...others, envFile };
  return { ...deployment, inputs, env: readEnv(inputs) };
}

/** The same deployment with the values that tools gave for references in its `.env`. */
export function withReferences(deployment: Deployment, readings: ReadonlyMap<string, ReferenceReading>): Deployment {
  const inputs = { ...deployment.inputs, readings };
  return { ...deployment, inputs, env: readEnv(inputs) };
}

function readEnv({ envFile, readings = new Map() }: DeploymentInputs): EnvDocument | null {
  return envFile === null ? null : withReadings(readEnvFile(envFile.text), readings);
}
