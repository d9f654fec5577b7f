import { applyChanges } from "../../config/edit.ts";
import { loadConfig } from "../../config/load.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { resolveDeployment } from "../../deployment/resolve.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { artifactsByName, changedArtifacts } from "../artifacts.ts";

/** Finds the artifacts that something reaches by rendering without it: what is found is what is true. */
export class Reach {
  readonly #deployment: Deployment;
  readonly #rendered: ReadonlyMap<string, string> | null;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
    this.#rendered = artifactsByName(deployment);
  }

  /** Artifacts that change when a name is taken out of the environment of a workload. */
  ofEnvironment(workload: string, name: string): readonly string[] | null {
    const workloads = this.#deployment.workloads.map((one) =>
      one.name === workload ? { ...one, environment: one.environment.filter((entry) => entry.name !== name) } : one,
    );
    return this.#without({ ...this.#deployment, workloads });
  }

  /** Artifacts that change when a secret is not in the catalogue. */
  ofSecret(name: string): readonly string[] | null {
    return this.#without({
      ...this.#deployment,
      secrets: this.#deployment.secrets.filter((secret) => secret.name !== name),
    });
  }

  /** Artifacts that change when a field of the config is taken out. */
  ofField(path: ConfigPath): readonly string[] | null {
    const { config } = this.#deployment.inputs;
    const edited = applyChanges(config.text, [{ kind: "remove", path }]);
    if (!edited.ok) return null;
    const source = { ...config, text: edited.text };
    return this.#without(resolveDeployment({ ...this.#deployment.inputs, config: source }, loadConfig(source)));
  }

  #without(changed: Deployment): readonly string[] | null {
    const now = artifactsByName(changed);
    return this.#rendered === null || now === null ? null : changedArtifacts(this.#rendered, now);
  }
}
