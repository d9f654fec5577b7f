import { SERVICE_PORT } from "../../catalog/services.ts";
import type { SettingKey } from "../../catalog/settings/index.ts";
import { FLYCAST_SERVICES } from "../../catalog/targets/fly.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { RunnableServiceName, ServiceName } from "../../config/written-config.ts";
import type { DeploymentChoices } from "../deployment.ts";
import { type DerivedName, dockerAlias, flyAppPrefix } from "../derived-names.ts";
import { settingValue } from "../env-values.ts";
import { derivedFrom, fixedBy } from "../provenance.ts";
import type { EnvironmentBuilder } from "./builder.ts";

/** The address at which other workloads reach a service that is a workload; null where the config does not say enough. */
function workloadAddress({ target, config }: DeploymentChoices, service: RunnableServiceName): DerivedName | null {
  if (target === "docker") return { value: `http://${service}:${SERVICE_PORT}`, from: [] };
  if (target === "aws") {
    const namespace = config.aws?.networking?.cloudMapNamespace;
    if (namespace === undefined) return null;
    return {
      value: `http://${service}.${namespace}:${SERVICE_PORT}`,
      from: [["aws", "networking", "cloudMapNamespace"]],
    };
  }
  const prefix = target === "fly" ? flyAppPrefix(config) : null;
  if (prefix === null) return null;
  const app = `${prefix.value}-${service}`;
  const host = FLYCAST_SERVICES.includes(service) ? `${app}.flycast` : `${app}.internal:${SERVICE_PORT}`;
  return { value: `http://${host}`, from: prefix.from };
}

/** The address at which the portal reaches a service, which may run inside another: admin inside web-ui has a path there. */
function upstreamAddress(choices: DeploymentChoices, service: ServiceName): DerivedName | null {
  const host = choices.release.release.host[service];
  const address = workloadAddress(choices, host);
  if (address === null || host === service) return address;
  return { value: `${address.value}/${service}`, from: address.from };
}

export function putCoreAddress(env: EnvironmentBuilder): void {
  const core = workloadAddress(env.choices, "core");
  if (core !== null) env.put("all.coreUrl", core.value, derivedFrom(core.from, "core as the other workloads reach it"));
}

/** Where the portal finds web-ui and admin. docker only knows the containers that it starts. */
export function putUpstreams(env: EnvironmentBuilder): void {
  if (env.service !== "portal") return;
  const { choices } = env;
  for (const [service, key] of [
    ["web-ui", "portal.webUiUpstream"],
    ["admin", "portal.adminUpstream"],
  ] as const) {
    const address = upstreamAddress(choices, service);
    if (address === null || (choices.target === "docker" && !choices.services.includes(service))) continue;
    env.put(key, address.value, derivedFrom(address.from, `${service} as the portal reaches it`));
  }
}

const CLIENT_ID = "qm-portal";
const PREFIX = "/idp";
const PUBLIC_URL: readonly ConfigPath[] = [["publicUrl"]];

/** Where the broker listens when it runs inside the portal. */
const EMBEDDED: DerivedName = { value: "http://127.0.0.1:8099", from: [] };

/**
 * How the portal reaches a broker in a container of its own. On docker it is the longer of its two names: the portal
 * starts only with a broker whose host it takes for private, and `auth` is none to it.
 */
function brokerAddress(choices: DeploymentChoices): DerivedName | null {
  const { target, config } = choices;
  if (target !== "docker") return workloadAddress(choices, "auth");
  if (config.orgId === undefined) return null;
  return { value: `http://${dockerAlias(config, "auth")}:${SERVICE_PORT}`, from: [["orgId"]] };
}

/** What lets the portal, the sign-in broker and core work together; nothing unless `auth` is enabled. */
export function putBroker(env: EnvironmentBuilder): void {
  if (!env.choices.services.includes("auth")) return;
  const isEmbedded = env.release.host.auth === "portal";
  if (env.service === "portal") putPortalSide(env, isEmbedded);
  if (env.service === env.release.host.auth) putBrokerSide(env);
  if (env.service === "core" && isEmbedded) putDomain(env, "core.allowedEmailDomain");
}

function putPortalSide(env: EnvironmentBuilder, isEmbedded: boolean): void {
  const how = "how the portal talks to the sign-in broker";
  env.put("portal.brokerPrefix", PREFIX, fixedBy(how));
  env.put("portal.clientId", CLIENT_ID, fixedBy(how));
  env.put("portal.scopes", "openid email", fixedBy(how));
  env.put("portal.principalClaim", "email", fixedBy(how));
  if (env.choices.publicOrigin !== null) {
    const issuer = env.choices.publicOrigin + PREFIX;
    env.put("portal.issuer", issuer, derivedFrom(PUBLIC_URL, "the sign-in broker as people reach it"));
    env.put("portal.authEndpoint", `${issuer}/authorize`, derivedFrom(PUBLIC_URL, "the sign-in page of the broker"));
  }
  const internal = isEmbedded ? EMBEDDED : brokerAddress(env.choices);
  if (internal !== null) {
    const provenance = derivedFrom(internal.from, how);
    env.put("portal.brokerUpstream", internal.value, provenance);
    env.put("portal.tokenEndpoint", `${internal.value}/token`, provenance);
    env.put("portal.userinfoEndpoint", `${internal.value}/userinfo`, provenance);
    env.put("portal.jwksUri", `${internal.value}/.well-known/jwks.json`, provenance);
  }
  putDomain(env, "portal.allowedEmailDomain");
  if (isEmbedded) env.put("portal.brokerEmbedded", "1", fixedBy("the sign-in broker runs inside the portal"));
}

function putBrokerSide(env: EnvironmentBuilder): void {
  const { publicOrigin } = env.choices;
  env.put("auth.clientId", CLIENT_ID, fixedBy("how the portal signs in at the broker"));
  if (publicOrigin === null) return;
  env.put("auth.issuer", publicOrigin + PREFIX, derivedFrom(PUBLIC_URL, "the sign-in broker as people reach it"));
  env.put(
    "auth.redirectUri",
    `${publicOrigin}/auth/callback`,
    derivedFrom(PUBLIC_URL, "where the broker sends people back to"),
  );
}

function putDomain(env: EnvironmentBuilder, key: SettingKey): void {
  const domain = settingValue(env.choices.config, env.release, "auth.allowedEmailDomain");
  if (domain !== null) env.put(key, domain.value, derivedFrom([domain.path], "the domain whose people may sign in"));
}
