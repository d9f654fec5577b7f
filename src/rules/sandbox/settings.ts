import { field, move, names, removal, type Rule } from "../rule.ts";
import { BACKEND_SETTINGS } from "../../catalog/backends/index.ts";
import { coreEnvServices, coreValue, envValue, type PlacedValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { isUndecided } from "./backend-names.ts";
import type { Release } from "../../catalog/releases/release.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";

export const SETTING_RULES: readonly Rule[] = [
  {
    id: "sandbox/missing-setting",
    title: "Backend setting missing",
    clause: "config.v1",
    why: "Some backends cannot start without a setting: Superserve, for one, must be told which template to boot.",
    bad: '{ "env": { "core": {} }, "sandbox": { "backend": "superserve" } }',
    good: '{ "env": { "core": { "SUPERSERVE_TEMPLATE": "acme-agents" } }, "sandbox": { "backend": "superserve" } }',
    check(deployment, report) {
      if (deployment.broken) return;
      for (const backend of deployment.sandbox.selected) {
        for (const setting of backend.settings) {
          if (setting.required !== true || coreValue(deployment.config, setting.name) !== null) continue;
          report({
            message: `\`env.core.${setting.name}\` is missing, without which core does not start \`${backend.name}\``,
            help: `set it, for instance to \`${setting.example}\` (${setting.description})`,
            place: { path: ["env", "core", setting.name] },
          });
        }
      }
    },
  },
  {
    id: "sandbox/idle-setting",
    title: "Setting of a backend that is not selected",
    severity: "warning",
    why: "The setting reaches core and nothing reads it: either it is left over, or the backend that it belongs to was meant.",
    bad: '{ "env": { "core": { "BOXD_VCPU": "4" } }, "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
    good: '{ "env": { "core": {} }, "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
    check(deployment, report) {
      if (isUndecided(deployment) || deployment.broken) return;
      const { selected } = deployment.sandbox;
      for (const { name, path } of coreEntries(deployment)) {
        const readers = BACKEND_SETTINGS.get(name)?.backends;
        if (readers === undefined || selected.some((backend) => readers.includes(backend))) continue;
        const backends = readers.map((backend) => backend.name);
        report({
          message: `${field(path)} is read only by ${names(backends)}, which ${readers.length === 1 ? "is" : "are"} not selected`,
          help: `remove it, or set \`sandbox.backend\` to ${names(backends, "or")}`,
          place: { path },
          fix: removal(path),
        });
      }
    },
  },
  {
    id: "sandbox/misplaced-setting",
    title: "Sandbox setting of a service that runs no sandbox",
    why: "Only core runs sandboxes. In the environment of another service the setting is delivered and read by nobody.",
    bad: '{ "env": { "web-ui": { "BOXD_VCPU": "4" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": { "BOXD_VCPU": "4" } }, "sandbox": { "backend": "boxd" } }',
    check({ config, release }, report) {
      for (const service of RUNNABLE_SERVICE_NAMES) {
        if (service === "core" || config.env?.[service] === undefined) continue;
        for (const name of coreNames(release.release)) {
          const written = envValue(config, service, name);
          if (written === null) continue;
          const target = ["env", "core", name];
          report({
            message: `${field(written.path)} is read by nobody: only core runs sandboxes`,
            help: `move it to ${field(target)}`,
            place: { path: written.path },
            fix:
              envValue(config, "core", name) === null
                ? move(written.path, target, config.env[service]?.[name] ?? written.value)
                : undefined,
          });
        }
      }
    },
  },
];

/** Everything in the environment that says where agents run and how. */
function coreNames(release: Release): readonly string[] {
  const keys = ["core.sandboxBackend", "core.secondaryBackend", "core.scopeBackends"] as const;
  return [...keys.map((key) => nameOf(release, key)), ...BACKEND_SETTINGS.keys()];
}

/** Every entry of `env` that hands core a value, trimmed and not blank, whether or not another one wins. */
function coreEntries({ config }: Deployment): (PlacedValue & { readonly name: string })[] {
  const all: (PlacedValue & { readonly name: string })[] = [];
  for (const service of coreEnvServices(config)) {
    for (const name of Object.keys(config.env?.[service] ?? {})) {
      const value = envValue(config, service, name);
      if (value !== null) all.push({ name, ...value });
    }
  }
  return all;
}
