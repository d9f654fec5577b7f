import { field, type Finding, own, removal, type Report, type Rule } from "../rule.ts";
import { managedEnv, ADMIN_BASE_PATH } from "../../catalog/services.ts";
import { type ServiceName, SERVICE_NAMES } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";

const BASE_PATH = "ADMIN_BASE_PATH";

/** Names of `env` that somebody else decides. */
export const MANAGED_ENV_RULES: readonly Rule[] = [
  {
    id: "services/managed-env",
    title: "Value under a managed name",
    severity: "error",
    clause: "config.v1",
    why: "Some environment names are decided by the target or by other fields. qm refuses a value under one of them.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "PORT": "3000" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi" } } }',
    check(deployment, report) {
      const { config } = deployment;
      const managedBy = managedNames(deployment, "env");
      for (const service of SERVICE_NAMES) {
        for (const name of Object.keys(config.env?.[service] ?? {})) {
          const by = managedBy(service, name);
          if (by !== null) report(refused(["env", service, name], by));
        }
      }
      for (const [at, plugin] of (config.plugins ?? []).entries()) {
        if (own(plugin.env, "PORT") !== undefined) report(refused(["plugins", at, "env", "PORT"], "the target"));
      }
      reportBasePath(deployment, report);
    },
  },
];

/** Asks who decides an environment name that a block may not hold for a service; null where it is free. */
export function managedNames(
  { target, services, release }: Deployment,
  block: "env" | "secretEnv",
): (service: ServiceName, name: string) => string | null {
  const managed = managedEnv(release.release).filter(
    (each) =>
      each.blocks.includes(block) &&
      (each.target === undefined || each.target === target) &&
      (each.whileEnabled === undefined || services.includes(each.whileEnabled)),
  );
  return (service, name) =>
    managed.find((each) => each.names.includes(name) && (each.services?.includes(service) ?? true))?.by ?? null;
}

function refused(path: ConfigPath, by: string): Finding {
  const isToken = path.at(-1) === "SECURITY_SCREEN_PROXY_TOKEN";
  return {
    message: `${field(path)} is decided by ${by}`,
    help: isToken ? "remove it, and route the token with `secretEnv.core.SECURITY_SCREEN_PROXY_TOKEN`" : "remove it",
    place: { path },
    fix: removal(path),
  };
}

function reportBasePath({ config, services }: Deployment, report: Report): void {
  const value = own(config.env?.admin, BASE_PATH);
  if (value === undefined || value === ADMIN_BASE_PATH || !services.includes("portal") || !services.includes("admin"))
    return;
  const path = ["env", "admin", BASE_PATH];
  report({
    message: `${field(path)} must be \`${ADMIN_BASE_PATH}\`, where the portal serves admin`,
    help: "remove it: the target sets it",
    place: { path, at: "value" },
    fix: removal(path, "safe"),
  });
}
