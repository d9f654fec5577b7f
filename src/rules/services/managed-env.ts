import type { ConfigPath } from "../../base/config-path.ts";
import { ADMIN_BASE_PATH, MANAGED_SETTINGS, targetOwnedEnv } from "../../catalog/services.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { SERVICE_NAMES, type ServiceName } from "../../config/written-config.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { isBlankUnset } from "../../deployment/env-values.ts";
import type { EnvironmentEntry, Provenance } from "../../deployment/provenance.ts";
import { type Finding, type Report, type Rule, field, own, removal, samePath, beside } from "../rule.ts";

const BASE_PATH = "ADMIN_BASE_PATH";

/** Names with rules of their own for what else decides them. */
const CHECKED_ELSEWHERE = new Set(["SANDBOX_BACKEND", "ADMIN_BASE_PATH"]);

/** Values of `env` that something else decides or hides. */
export const MANAGED_ENV_RULES: readonly Rule[] = [
  {
    id: "services/managed-env",
    title: "Value under a managed name",
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
  {
    id: "services/lost-env",
    title: "Value that never arrives",
    why: "Targets set some names after `env`: stores and regions on aws, ownership marks on fly. The value that is written here is lost without a word.",
    bad: '{ "target": "aws", "env": { "core": { "HARNESS": "pi", "AWS_DEPLOY_IMAGE": "acme-apps", "SNAPSHOT_STORE": "disk" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    good: '{ "target": "aws", "env": { "core": { "HARNESS": "pi", "AWS_DEPLOY_IMAGE": "acme-apps", "SNAPSHOT_STORE": "s3" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    check(deployment, report) {
      const managedBy = managedNames(deployment, "env");
      for (const workload of deployment.workloads) {
        const writing = workload.hosts.filter((service) => deployment.config.env?.[service] !== undefined);
        if (writing.length === 0) continue;
        const entries = new Map(workload.environment.map((entry) => [entry.name, entry]));
        for (const service of writing) {
          for (const [name, value] of Object.entries(deployment.config.env?.[service] ?? {})) {
            if (value.trim() === "" && isBlankUnset(deployment.release.release, name)) continue;
            const entry = entries.get(name);
            if (!isLost(deployment, service, name, value, entry)) continue;
            if (CHECKED_ELSEWHERE.has(name) || isSecret(deployment, name) || managedBy(service, name) !== null)
              continue;
            report(lost(deployment, workload, ["env", service, name]));
          }
        }
      }
    },
  },
  {
    id: "services/conflicting-env",
    title: "Two values for one name of a process",
    clause: "config.v1",
    why: "Services that run in one process share its environment. In core, `env.core` hides `env.slack` without a word; of the others qm refuses two values.",
    bad: '{ "services": ["core", "slack", "web-ui"], "env": { "core": { "HARNESS": "pi", "ACME_MODE": "a" }, "slack": { "ACME_MODE": "b" } } }',
    good: '{ "services": ["core", "slack", "web-ui"], "env": { "core": { "HARNESS": "pi", "ACME_MODE": "a" }, "slack": { "ACME_MODE": "a" } } }',
    check(deployment, report) {
      const managedBy = managedNames(deployment, "env");
      for (const workload of deployment.workloads) {
        for (const entry of workload.environment) {
          if (entry.shadowed.length === 0) continue;
          const winner = envPath(entry.provenance);
          if (winner === null || managedBy(winner[1] as ServiceName, entry.name) !== null) continue;
          for (const { value, provenance } of entry.shadowed) {
            const loser = envPath(provenance);
            // The target trims some values, which then stand above themselves.
            if (loser !== null && value !== entry.value && !samePath(winner, loser))
              report(conflict(workload, winner, loser));
          }
        }
      }
    },
  },
];

/** Asks who decides an environment name that a block may not hold for a service; null where it is free. */
export function managedNames(
  { target, services, release }: Deployment,
  block: "env" | "secretEnv",
): (service: ServiceName, name: string) => string | null {
  const managed = MANAGED_SETTINGS.filter(
    (each) =>
      each.blocks.includes(block) &&
      (each.target === undefined || each.target === target) &&
      (each.whileEnabled === undefined || services.includes(each.whileEnabled)),
  );
  return (service, name) => {
    const decided = managed.find(
      ({ keys, services: readers }) =>
        (readers?.includes(service) ?? true) && keys.some((key) => nameOf(release.release, key) === name),
    );
    return decided?.by ?? null;
  };
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

/** True for a secret, and for what one is called inside a service: other rules keep these out of `env`. */
function isSecret({ secrets }: Deployment, env: string): boolean {
  return secrets.some(
    ({ name, destinations }) => name === env || destinations.some((destination) => destination.env === env),
  );
}

function isLost(
  { target, release }: Deployment,
  service: ServiceName,
  name: string,
  value: string,
  entry: EnvironmentEntry | undefined,
): boolean {
  if (entry === undefined) return target !== null && targetOwnedEnv(target, release.release, service).includes(name);
  return envPath(entry.provenance) === null && entry.value !== value;
}

function lost({ target }: Deployment, workload: Workload, path: ConfigPath): Finding {
  return {
    message: `${field(path)} never arrives: ${target === null ? "the target" : target} decides \`${path.at(-1)}\` of \`${workload.name}\` itself`,
    help: "remove it",
    place: { path },
    fix: removal(path),
  };
}

/** The place in `env` that a value was written at; null for all others. */
function envPath(provenance: Provenance): ConfigPath | null {
  return provenance.kind === "config" && provenance.path[0] === "env" ? provenance.path : null;
}

function conflict(workload: Workload, winner: ConfigPath, loser: ConfigPath): Finding {
  const isCore = workload.name === "core";
  return {
    message: isCore
      ? `${field(loser)} is hidden by ${field(winner)}, which has another value`
      : `${field(loser)} and ${field(winner)} have different values, and both services run in \`${workload.name}\``,
    help: isCore
      ? `remove one of them: \`${loser[1]}\` runs inside core`
      : "give both the same value, or remove one of them",
    severity: isCore ? "warning" : "error",
    place: { path: loser },
    related: [beside(winner, isCore ? "what core gets" : "the other value")],
  };
}
