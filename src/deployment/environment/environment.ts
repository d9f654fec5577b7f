import { SERVICE_PORT } from "../../catalog/services.ts";
import type { RunnableServiceName, TargetName } from "../../config/written-config.ts";
import type { DeploymentChoices } from "../deployment.ts";
import type { Plugin } from "../plugins.ts";
import { type EnvironmentEntry, fixedBy, writtenAt } from "../provenance.ts";
import { putCoreAddress, putUpstreams } from "./address.ts";
import { putBroker } from "./broker.ts";
import { EnvironmentBuilder, type Layer } from "./builder.ts";
import { putBackendEnv, putBackendName, putModel, putSecurityScreen } from "./core.ts";
import { putOrganization } from "./organization.ts";
import {
  putAwsStores,
  putDeploymentLayer,
  putDockerStores,
  putFlyDeployBaseImage,
  putFlyDeployPrefix,
  putFlyIdentity,
  putFlyOrg,
  putFlyTemplate,
  putSignedIdentity,
  putTrustedHops,
} from "./targets.ts";
import { putCoreEnv, putHostedEnv, putSlackEnv } from "./written.ts";

interface Layers {
  readonly core: readonly Layer[];
  readonly service: readonly Layer[];
}

/**
 * The layers of each target, weakest first, in qm's own order (docs/contract/qm-rendering.md). On fly the config's model
 * settings beat slack; on aws stores and wiring beat `env`.
 */
const LAYERS: { readonly [target in TargetName]: Layers } = {
  docker: {
    core: [
      putOrganization,
      putDockerStores,
      putModel,
      putDeploymentLayer,
      putBackendName,
      putBackendEnv,
      putBroker,
      putSlackEnv,
      putCoreEnv,
      putSecurityScreen,
    ],
    service: [putCoreAddress, putOrganization, putUpstreams, putBroker, putHostedEnv],
  },
  fly: {
    core: [
      putFlyTemplate,
      putOrganization,
      putBroker,
      putFlyDeployPrefix,
      putBackendName,
      putBackendEnv,
      putSlackEnv,
      putModel,
      putCoreEnv,
      putSecurityScreen,
      putFlyOrg,
      putFlyDeployBaseImage,
      putFlyIdentity,
    ],
    service: [putFlyTemplate, putCoreAddress, putOrganization, putBroker, putUpstreams, putHostedEnv, putFlyIdentity],
  },
  aws: {
    core: [
      putOrganization,
      putModel,
      putBackendName,
      putSlackEnv,
      putCoreEnv,
      putSecurityScreen,
      putBackendEnv,
      putAwsStores,
      putBroker,
    ],
    service: [
      putOrganization,
      putCoreAddress,
      putHostedEnv,
      putUpstreams,
      putTrustedHops,
      putBroker,
      putSignedIdentity,
    ],
  },
};

/** What can be said where the target is not known. */
const WITHOUT_TARGET: Layers = {
  core: [putOrganization, putModel, putBackendName, putSlackEnv, putCoreEnv, putSecurityScreen],
  service: [putOrganization, putBroker, putHostedEnv],
};

/** The port that every workload listens on; no target lets the config change it. */
function putPort(env: EnvironmentBuilder): void {
  env.put("all.port", `${SERVICE_PORT}`, fixedBy(`every workload listens on ${SERVICE_PORT}`));
}

/** The non-secret environment of the workload that a service is, with everything that runs inside it. */
export function serviceEnvironment(
  choices: DeploymentChoices,
  service: RunnableServiceName,
): readonly EnvironmentEntry[] {
  const layers = choices.target === null ? WITHOUT_TARGET : LAYERS[choices.target];
  const own = service === "core" ? layers.core : layers.service;
  return new EnvironmentBuilder(choices, service).build([...own, putPort]);
}

/** The non-secret environment of a plugin, the same on every target but for addresses and fly's mark. */
export function pluginEnvironment(choices: DeploymentChoices, plugin: Plugin): readonly EnvironmentEntry[] {
  const putOwn: Layer = (env) => {
    for (const [name, value] of Object.entries(plugin.env))
      env.putName(name, value, writtenAt([...plugin.path, "env", name]));
  };
  return new EnvironmentBuilder(choices, null).build([
    ...(plugin.coreAccess ? [putCoreAddress] : []),
    putOrganization,
    putOwn,
    ...(choices.target === "fly" ? [putFlyIdentity] : []),
    putPort,
  ]);
}
