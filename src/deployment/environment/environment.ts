import type { CoreEnvContext } from "../../catalog/backends/backend.ts";
import { ADMIN_BASE_PATH, SERVICE_PORT } from "../../catalog/services.ts";
import type { SettingKey } from "../../catalog/settings/index.ts";
import {
  type RunnableServiceName,
  SERVICE_NAMES,
  type ServiceName,
  type TargetName,
} from "../../config/written-config.ts";
import type { DeploymentChoices } from "../deployment.ts";
import { objectStoreBucket } from "../derived-names.ts";
import { isBlankUnset } from "../env-values.ts";
import type { Plugin } from "../plugins.ts";
import { defaultOf, derivedFrom, type EnvironmentEntry, fixedBy, writtenAt } from "../provenance.ts";
import { EnvironmentBuilder, type Layer } from "./builder.ts";
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
import { putBroker, putCoreAddress, putUpstreams } from "./wiring.ts";

/** `env.slack` reaches core: slack runs inside it. */
const putSlackEnv: Layer = (env) => putServiceEnv(env, "slack");
const putCoreEnv: Layer = (env) => putServiceEnv(env, "core");

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

/** No target lets the config change it. */
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

const PUBLIC_URLS: { readonly [service in RunnableServiceName]?: readonly SettingKey[] } = {
  core: ["core.publicWebUrl", "core.webUiPublicUrl"],
  "web-ui": ["web-ui.publicUrl"],
  portal: ["portal.publicUrl"],
};

/** Who the deployment is and where people reach it (docs/contract/qm-rendering.md#who-the-deployment-is). */
function putOrganization(env: EnvironmentBuilder): void {
  const { service, choices, release } = env;
  const { config, publicOrigin } = choices;
  if (config.orgId !== undefined)
    env.put(service === "core" ? "core.orgId" : "all.orgId", config.orgId, writtenAt(["orgId"]));
  if (service === null) return;
  for (const key of publicOrigin === null ? [] : (PUBLIC_URLS[service] ?? []))
    env.put(key, publicOrigin as string, derivedFrom([["publicUrl"]], "the origin of `publicUrl`"));
  if (service === "core") {
    putTrimmed(env, "core.brandName", "botName");
    putTrimmed(env, "core.brandOrganization", "orgName");
  }
  if (service === release.host.auth) putTrimmed(env, "auth.brandName", "botName");
  if (service === release.host.admin && (service !== "admin" || choices.services.includes("portal")))
    env.put("admin.basePath", ADMIN_BASE_PATH, fixedBy("the path under which the portal serves admin"));
}

function putTrimmed(env: EnvironmentBuilder, key: SettingKey, field: "botName" | "orgName"): void {
  const value = env.choices.config[field]?.trim() ?? "";
  if (value !== "") env.put(key, value, writtenAt([field]));
}

function putModel(env: EnvironmentBuilder): void {
  const { model, modelProvider } = env.choices.config;
  if (model !== undefined && model.trim() !== "") env.put("core.model", model, writtenAt(["model"]));
  if (modelProvider !== undefined) env.put("core.modelProvider", modelProvider, writtenAt(["modelProvider"]));
}

/**
 * The backend that the declaration or the release's default gives core, below `env`, which may name another. The sum of
 * the two is what the selection computed. No other place puts SANDBOX_BACKEND.
 */
function putBackendName(env: EnvironmentBuilder): void {
  const { declared, effective } = env.choices.sandbox;
  if (declared !== null) env.put("core.sandboxBackend", declared.name, writtenAt(declared.path));
  else if (effective !== null && effective.provenance.kind !== "config")
    env.put("core.sandboxBackend", effective.name, effective.provenance);
}

/** What the selected backends need besides their name; the primary one is put last and wins. */
export function putBackendEnv(env: EnvironmentBuilder): void {
  const { target, config, sandbox } = env.choices;
  if (target === null) return;
  const context: CoreEnvContext = {
    target,
    release: env.release,
    orgId: config.orgId ?? "",
    sandbox: config.sandbox ?? {},
    coreEnv: (key) => env.get(key)?.value.trim() || null,
    aws: awsParts(env.choices),
  };
  for (const backend of [...sandbox.selected].reverse()) {
    for (const { name, value, from, how } of backend.coreEnv(context)) env.putName(name, value, derivedFrom(from, how));
  }
}

function putSecurityScreen(env: EnvironmentBuilder): void {
  const { release } = env;
  const screen = env.choices.config.securityScreen;
  if (screen?.backend === undefined) {
    const how = "no `securityScreen` is declared";
    if (release.securityScreenAlwaysRendered) env.put("core.securityScreen", "off", defaultOf(release, how));
    return;
  }
  if (!release.securityScreen.includes(screen.backend)) return;
  env.put("core.securityScreen", screen.backend, writtenAt(["securityScreen", "backend"]));
  if (screen.backend !== "proxy") return;
  for (const [field, key] of [
    ["provider", "core.securityScreenProvider"],
    ["endpoint", "core.securityScreenEndpoint"],
    ["rollout", "core.securityScreenRollout"],
  ] as const) {
    const value = screen[field];
    if (value !== undefined) env.put(key, value, writtenAt(["securityScreen", field]));
  }
}

function awsParts({ target, config }: DeploymentChoices): CoreEnvContext["aws"] {
  const { accountId, region, cluster, objectStoreBucket: written } = config.aws ?? {};
  if (target !== "aws" || accountId === undefined || region === undefined || cluster === undefined) return null;
  if (config.orgId === undefined && !written?.trim()) return null;
  return { accountId, region, cluster, bucket: () => objectStoreBucket(config)?.value ?? "" };
}

/**
 * `env` of the enabled services that run in a workload: guests first, the host itself last, so that the host wins where
 * they differ (rules report it). Core takes slack in the same way, but its target may put layers between them.
 */
function putHostedEnv(env: EnvironmentBuilder): void {
  const { release, service: host, choices } = env;
  if (host === null) return;
  const guests = SERVICE_NAMES.filter((service) => service !== host && release.host[service] === host);
  for (const service of [...guests, host]) putServiceEnv(env, service);
  if (host !== "admin" && host === release.host.admin) {
    const on = choices.services.includes("admin");
    const how = `\`services\` ${on ? "has" : "does not have"} \`admin\``;
    env.put("admin.enabled", on ? "1" : "0", derivedFrom([["services"]], how));
  }
}

/** `env.<service>` of an enabled service. Names that resolving reads are trimmed, and left out where blank. */
function putServiceEnv(env: EnvironmentBuilder, service: ServiceName): void {
  const { release, choices } = env;
  if (!choices.services.includes(service)) return;
  const isCore = release.host[service] === "core";
  for (const [name, written] of Object.entries(choices.config.env?.[service] ?? {})) {
    const read = isCore && isBlankUnset(release, name);
    if (read && written.trim() === "") continue;
    env.putName(name, read ? written.trim() : written, writtenAt(["env", service, name]));
  }
}
