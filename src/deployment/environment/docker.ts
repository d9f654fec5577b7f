import type { RunnableServiceName } from "../../config/written-config.ts";
import { hasFiles } from "../layer-files.ts";
import type { DeploymentChoices } from "../choices.ts";
import { putBroker } from "./broker.ts";
import type { EnvironmentBuilder } from "./builder.ts";
import { putBackendEnv, putBackendName, putModel, putSecurityScreen } from "./core-parts.ts";
import { putOrganization } from "./organization.ts";
import { putCoreAddress, putUpstream } from "./upstreams.ts";
import { putHostedEnv, putServiceEnv } from "./written.ts";

/** Directories of `sandbox/` that are mounted into core as the deployment layer. */
const LAYER_DIRECTORIES = ["sandbox/skills", "sandbox/tools"] as const;

/** Core's environment on docker, in the order of docs/contract/qm-rendering.md#docker. */
export function putDockerCore(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  putOrganization(builder, basis, "core");
  builder.putFixed("DATA_DIR", "/data", "the volume of core");
  builder.putFixed("SESSION_STORE", "postgres", "docker keeps sessions in Postgres");
  builder.putFixed("RUN_STORE", "postgres", "docker keeps runs in Postgres");
  putModel(builder, basis);
  if (hasLayer(basis)) builder.putFixed("DEPLOYMENT_LAYER", "/layer", "`sandbox/` is mounted there");
  putBackendName(builder, basis);
  putBackendEnv(builder, basis);
  putBroker(builder, basis, "core");
  putServiceEnv(builder, basis, "slack");
  putServiceEnv(builder, basis, "core");
  putSecurityScreen(builder, basis);
}

/** The environment of a service other than core on docker. */
export function putDockerService(
  builder: EnvironmentBuilder,
  basis: DeploymentChoices,
  service: RunnableServiceName,
): void {
  putCoreAddress(builder, basis);
  putOrganization(builder, basis, service);
  if (service === "portal") {
    // docker only knows the containers that it starts: there is no address of a disabled service.
    if (basis.services.includes("web-ui")) putUpstream(builder, basis, "web-ui");
    if (basis.services.includes("admin")) putUpstream(builder, basis, "admin");
  }
  putBroker(builder, basis, service);
  putHostedEnv(builder, basis, service);
}

function hasLayer(basis: DeploymentChoices): boolean {
  return LAYER_DIRECTORIES.some((directory) => hasFiles(basis.inputs, directory));
}
