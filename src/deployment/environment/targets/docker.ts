import { hasFiles } from "../../inputs.ts";
import { fixedBy } from "../../provenance.ts";
import type { EnvironmentBuilder } from "../builder.ts";

/** Directories of `sandbox/` that are mounted into core as the deployment layer. */
const LAYER_DIRECTORIES = ["sandbox/skills", "sandbox/tools"] as const;

/** Where core keeps what it stores. */
export function putStores(env: EnvironmentBuilder): void {
  env.put("core.dataDirectory", "/data", fixedBy("the volume of core"));
  env.put("core.sessionStore", "postgres", fixedBy("docker keeps sessions in Postgres"));
  env.put("core.runStore", "postgres", fixedBy("docker keeps runs in Postgres"));
}

/** Where core finds `sandbox/`, when there is anything in it for core. */
export function putDeploymentLayer(env: EnvironmentBuilder): void {
  if (LAYER_DIRECTORIES.some((directory) => hasFiles(env.choices.inputs, directory)))
    env.put("core.deploymentLayer", "/layer", fixedBy("`sandbox/` is mounted there"));
}
