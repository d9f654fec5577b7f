import type { RunnableServiceName, TargetName } from "../../config/written-config.ts";
import type { DeploymentChoices } from "../choices.ts";
import type { EnvironmentEntry } from "../provenance.ts";
import { putAwsCore, putAwsService } from "./aws.ts";
import { putBroker } from "./broker.ts";
import { EnvironmentBuilder } from "./builder.ts";
import { putBackendName, putModel, putSecurityScreen } from "./core-parts.ts";
import { putDockerCore, putDockerService } from "./docker.ts";
import { putFlyCore, putFlyService } from "./fly.ts";
import { putOrganization } from "./organization.ts";
import { putHostedEnv, putPort, putServiceEnv } from "./written.ts";

interface Layers {
  readonly core: (builder: EnvironmentBuilder, basis: DeploymentChoices) => void;
  readonly service: (builder: EnvironmentBuilder, basis: DeploymentChoices, service: RunnableServiceName) => void;
}

const LAYERS: { readonly [target in TargetName]: Layers } = {
  docker: { core: putDockerCore, service: putDockerService },
  fly: { core: putFlyCore, service: putFlyService },
  aws: { core: putAwsCore, service: putAwsService },
};

/** What can be said where the target is not known. */
const UNKNOWN_TARGET: Layers = {
  core: (builder, basis) => {
    putOrganization(builder, basis, "core");
    putModel(builder, basis);
    putBackendName(builder, basis);
    putServiceEnv(builder, basis, "slack");
    putServiceEnv(builder, basis, "core");
    putSecurityScreen(builder, basis);
  },
  service: (builder, basis, service) => {
    putOrganization(builder, basis, service);
    putBroker(builder, basis, service);
    putHostedEnv(builder, basis, service);
  },
};

/** The non-secret environment of the workload that a service is, with everything that runs inside it. */
export function serviceEnvironment(
  basis: DeploymentChoices,
  service: RunnableServiceName,
): readonly EnvironmentEntry[] {
  const builder = new EnvironmentBuilder();
  const layers = basis.target === null ? UNKNOWN_TARGET : LAYERS[basis.target];
  if (service === "core") layers.core(builder, basis);
  else layers.service(builder, basis, service);
  putPort(builder);
  return builder.list();
}
