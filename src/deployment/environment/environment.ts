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
import * as aws from "./targets/aws.ts";
import * as docker from "./targets/docker.ts";
import * as fly from "./targets/fly.ts";
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
      docker.putStores,
      putModel,
      docker.putDeploymentLayer,
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
      fly.putTemplate,
      putOrganization,
      putBroker,
      fly.putDeployPrefix,
      putBackendName,
      putBackendEnv,
      putSlackEnv,
      putModel,
      putCoreEnv,
      putSecurityScreen,
      fly.putOrg,
      fly.putDeployBaseImage,
      fly.putIdentity,
    ],
    service: [fly.putTemplate, putCoreAddress, putOrganization, putBroker, putUpstreams, putHostedEnv, fly.putIdentity],
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
      aws.putStores,
      putBroker,
    ],
    service: [
      putOrganization,
      putCoreAddress,
      putHostedEnv,
      putUpstreams,
      aws.putTrustedHops,
      putBroker,
      aws.putSignedIdentity,
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
    ...(choices.target === "fly" ? [fly.putIdentity] : []),
    putPort,
  ]);
}
