import { SERVICE_NAMES, type ServiceName } from "../../config/written-config.ts";
import { isBlankUnset } from "../env-values.ts";
import { derivedFrom, writtenAt } from "../provenance.ts";
import type { EnvironmentBuilder } from "./builder.ts";

/** `env.slack`, which reaches core: slack runs inside it. */
export function putSlackEnv(env: EnvironmentBuilder): void {
  putServiceEnv(env, "slack");
}

export function putCoreEnv(env: EnvironmentBuilder): void {
  putServiceEnv(env, "core");
}

/**
 * `env` of the enabled services that run in a workload: guests first, the host itself last, so that the host wins where
 * they differ (rules report it). Core takes slack in the same way, but its target may put layers between them.
 */
export function putHostedEnv(env: EnvironmentBuilder): void {
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
