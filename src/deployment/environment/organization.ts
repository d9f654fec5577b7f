import type { RunnableServiceName } from "../../config/written-config.ts";
import type { DeploymentChoices } from "../choices.ts";
import type { EnvironmentBuilder } from "./builder.ts";

const ORIGIN = "the origin of `publicUrl`";

/** Puts who the deployment is and where people reach it (docs/contract/qm-rendering.md#who-the-deployment-is). A plugin has no service. */
export function putOrganization(
  builder: EnvironmentBuilder,
  basis: DeploymentChoices,
  service: RunnableServiceName | null,
): void {
  const { config, publicOrigin } = basis;
  if (config.orgId !== undefined)
    builder.putWritten(service === "core" ? "ORG_ID" : "CORE_ORG_ID", config.orgId, ["orgId"]);
  for (const name of urlNames(service)) {
    if (publicOrigin !== null) builder.putDerived(name, publicOrigin, [["publicUrl"]], ORIGIN);
  }
  if (service === "core") {
    putTrimmed(builder, "ORG_BRAND_SELF_LABEL", config.botName, "botName");
    putTrimmed(builder, "ORG_BRAND_ORG_NAME", config.orgName, "orgName");
  }
  if (service !== null && service === basis.release.host.auth)
    putTrimmed(builder, "AUTH_BRAND_NAME", config.botName, "botName");
  if (service === basis.release.host.admin && (service !== "admin" || basis.services.includes("portal"))) {
    builder.putFixed("ADMIN_BASE_PATH", "/admin", "the path under which the portal serves admin");
  }
}

function urlNames(service: RunnableServiceName | null): readonly string[] {
  if (service === "core") return ["PUBLIC_WEB_URL", "WEB_UI_PUBLIC_URL"];
  if (service === "web-ui") return ["WEB_UI_PUBLIC_URL"];
  return service === "portal" ? ["PORTAL_PUBLIC_URL"] : [];
}

function putTrimmed(builder: EnvironmentBuilder, name: string, written: string | undefined, key: string): void {
  const value = written?.trim() ?? "";
  if (value !== "") builder.putWritten(name, value, [key]);
}
