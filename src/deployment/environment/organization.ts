import type { SettingKey } from "../../catalog/settings/index.ts";
import { ADMIN_BASE_PATH } from "../../catalog/services.ts";
import type { RunnableServiceName } from "../../config/written-config.ts";
import { derivedFrom, fixedBy, writtenAt } from "../provenance.ts";
import type { EnvironmentBuilder } from "./builder.ts";

/** The settings of each service that hold the public address. */
const PUBLIC_URLS: { readonly [service in RunnableServiceName]?: readonly SettingKey[] } = {
  core: ["core.publicWebUrl", "core.webUiPublicUrl"],
  "web-ui": ["web-ui.publicUrl"],
  portal: ["portal.publicUrl"],
};

/** Who the deployment is and where people reach it (docs/contract/qm-rendering.md#who-the-deployment-is). */
export function putOrganization(env: EnvironmentBuilder): void {
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
