import { loadConfig } from "../../src/config/load.ts";
import type { Deployment, Workload } from "../../src/deployment/deployment.ts";
import type { DeploymentInputs } from "../../src/deployment/inputs.ts";
import { resolveDeployment } from "../../src/deployment/resolve.ts";

/** Inputs of a deployment that has nothing but a config. */
function inputsOf(text: string, more: Partial<DeploymentInputs> = {}): DeploymentInputs {
  return {
    config: { file: "qm.config.jsonc", text },
    directory: ".",
    envFile: null,
    packageFiles: [],
    sandboxTree: [],
    pluginsTree: [],
    skillsPaths: [],
    flags: { release: null, target: null },
    ...more,
  };
}

/** Resolves a config given as a value, or as text. */
export function resolve(config: unknown, more: Partial<DeploymentInputs> = {}): Deployment {
  const inputs = inputsOf(typeof config === "string" ? config : JSON.stringify(config), more);
  return resolveDeployment(inputs, loadConfig(inputs.config));
}

/** Resolves under a release named on the command line. */
export function resolveUnder(release: string, config: unknown, more: Partial<DeploymentInputs> = {}): Deployment {
  return resolve(config, { ...more, flags: { release, target: null } });
}

/** The workload of this name; fails where there is none. */
export function workload(deployment: Deployment, name: string): Workload {
  const found = deployment.workloads.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no workload ${name}`);
  return found;
}

/** The environment of a workload as a plain map. */
export function environment(deployment: Deployment, name: string): { [name: string]: string } {
  return Object.fromEntries(workload(deployment, name).environment.map((entry) => [entry.name, entry.value]));
}

/** A config that every test can start from. */
export const BASE = {
  contract: 1,
  orgId: "acme",
  publicUrl: "https://qm.example.com",
  target: "docker",
  modelProvider: "anthropic",
  services: ["core", "web-ui"],
  env: { core: { HARNESS: "pi" } },
} as const;
