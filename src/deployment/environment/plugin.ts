import type { DeploymentChoices } from "../choices.ts";
import type { EnvironmentEntry } from "../provenance.ts";
import type { Plugin } from "../plugins.ts";
import { EnvironmentBuilder } from "./builder.ts";
import { putFlyIdentity } from "./fly.ts";
import { putOrganization } from "./organization.ts";
import { putCoreAddress } from "./upstreams.ts";
import { putPort } from "./written.ts";

/** The non-secret environment of a plugin, the same on every target but for addresses and fly's mark. */
export function pluginEnvironment(basis: DeploymentChoices, plugin: Plugin): readonly EnvironmentEntry[] {
  const builder = new EnvironmentBuilder();
  if (plugin.coreAccess) putCoreAddress(builder, basis);
  putOrganization(builder, basis, null);
  for (const [name, value] of Object.entries(plugin.env))
    builder.putWritten(name, value, [...plugin.path, "env", name]);
  if (basis.target === "fly") putFlyIdentity(builder, basis);
  putPort(builder);
  return builder.list();
}
