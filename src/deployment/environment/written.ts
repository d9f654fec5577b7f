import { SERVICE_NAMES, type RunnableServiceName, type ServiceName } from "../../config/written-config.ts";
import type { DeploymentChoices } from "../choices.ts";
import { BLANK_IS_UNSET } from "../env-values.ts";
import type { EnvironmentBuilder } from "./builder.ts";

/**
 * Puts `env` of the enabled services that run in a workload: guests first, the host itself last, so that the host wins
 * where they differ (rules report it). Core takes slack in the same way, but its target may put layers between them.
 */
export function putHostedEnv(builder: EnvironmentBuilder, basis: DeploymentChoices, host: RunnableServiceName): void {
  const guests = SERVICE_NAMES.filter((service) => service !== host && basis.release.host[service] === host);
  for (const service of [...guests, host]) putServiceEnv(builder, basis, service);
  if (host !== "admin" && host === basis.release.host.admin) {
    const on = basis.services.includes("admin");
    builder.putDerived(
      "ADMIN_ENABLED",
      on ? "1" : "0",
      [["services"]],
      `\`services\` ${on ? "has" : "does not have"} \`admin\``,
    );
  }
}

/** Puts `env.<service>` of an enabled service. Names that resolving reads are trimmed, and left out where blank. */
export function putServiceEnv(builder: EnvironmentBuilder, basis: DeploymentChoices, service: ServiceName): void {
  if (!basis.services.includes(service)) return;
  const isCore = basis.release.host[service] === "core";
  for (const [name, written] of Object.entries(basis.config.env?.[service] ?? {})) {
    const read = isCore && BLANK_IS_UNSET.has(name);
    if (read && written.trim() === "") continue;
    builder.putWritten(name, read ? written.trim() : written, ["env", service, name]);
  }
}

/** Puts the port that every workload listens on; no target lets the config change it. */
export function putPort(builder: EnvironmentBuilder): void {
  builder.putFixed("PORT", "8080", "every workload listens on 8080");
}
