import { field, move, names, removal, type Rule } from "../rule.ts";
import type { BackendSetting } from "../../catalog/backends/backend.ts";
import { BACKENDS, SHARED_SETTINGS } from "../../catalog/backends/index.ts";
import { coreEnvServices, coreValue, envValue, type PlacedValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { isUndecided } from "./backend-names.ts";
import { closestName } from "../../base/closest-name.ts";
import type { Release } from "../../catalog/releases/release.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";

/** Every setting that some backend reads, with the backends that do; none for those that every backend reads. */
export const SETTING_READERS: ReadonlyMap<string, readonly string[]> = readersBySetting();

export const SETTING_RULES: readonly Rule[] = [
  {
    id: "sandbox/bad-setting",
    title: "Backend setting with an unusable value",
    clause: "config.v1",
    why: "Core reads these settings when it starts or when it makes the first machine, which is late to learn that a value is wrong.",
    bad: '{ "env": { "core": { "BOXD_VCPU": "3" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": { "BOXD_VCPU": "4" } }, "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      const settings = readSettings(deployment);
      for (const { name, value, path } of coreEntries(deployment)) {
        const setting = settings.get(name);
        const problem = setting?.validate(value) ?? null;
        if (problem !== null)
          report({ ...problem, message: `${field(path)} ${problem.message}`, place: { path, at: "value" } });
      }
    },
  },
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
      const read = readSettings(deployment);
      for (const { name, path } of coreEntries(deployment)) {
        const readers = SETTING_READERS.get(name);
        if (readers !== undefined && !read.has(name)) {
          report({
            message:
              readers.length === 0
                ? `${field(path)} is read by no backend, as none is selected`
                : `${field(path)} is read only by ${names(readers)}, which ${readers.length === 1 ? "is" : "are"} not selected`,
            help:
              readers.length === 0
                ? "select a backend with `sandbox.backend`, or remove it"
                : `remove it, or set \`sandbox.backend\` to ${names(readers, "or")}`,
            place: { path },
            fix: removal(path),
          });
        }
      }
    },
  },
  {
    id: "boxd/unknown-setting",
    title: "boxd setting that nothing reads",
    severity: "warning",
    why: "Core takes a setting with a misspelt name without a word, and makes machines as if it were not there: of another size, or in another org.",
    bad: '{ "env": { "core": { "BOXD_VCPUS": "2", "BOXD_NAME_PREFIX": "acme-qm" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": { "BOXD_VCPU": "2", "BOXD_NAME_PREFIX": "acme-qm" } }, "sandbox": { "backend": "boxd" } }',
    check({ config, sandbox }, report) {
      for (const backend of sandbox.selected) {
        const { settingFamily } = backend;
        if (settingFamily === null) continue;
        const settings = backend.settings.map(({ name }) => name).filter((name) => name.startsWith(settingFamily));
        const known = [...settings, ...backend.secrets.map(({ name }) => name)];
        for (const service of coreEnvServices(config)) {
          for (const name of Object.keys(config.env?.[service] ?? {})) {
            if (!name.startsWith(settingFamily) || known.includes(name)) continue;
            const meant = closestName(name, settings);
            report({
              message: `${field(["env", service, name])} is no setting of \`${backend.name}\``,
              help: meant === null ? `remove it; ${backend.name} has ${names(settings)}` : `did you mean \`${meant}\`?`,
              place: { path: ["env", service, name] },
            });
          }
        }
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

function readersBySetting(): Map<string, string[]> {
  const all = new Map<string, string[]>(SHARED_SETTINGS.map((setting) => [setting.name, []]));
  for (const backend of BACKENDS) {
    for (const setting of backend.settings) all.set(setting.name, [...(all.get(setting.name) ?? []), backend.name]);
  }
  return all;
}

/** Every setting that core reads in a deployment, by name. */
function readSettings({ sandbox: { selected } }: Deployment): ReadonlyMap<string, BackendSetting> {
  const settings =
    selected.length === 0 ? [] : [...selected.flatMap((backend) => backend.settings), ...SHARED_SETTINGS];
  return new Map(settings.map((setting) => [setting.name, setting]));
}

/** Everything in the environment that says where agents run and how. */
function coreNames(release: Release): readonly string[] {
  const keys = ["core.sandboxBackend", "core.secondaryBackend", "core.scopeBackends"] as const;
  return [...keys.map((key) => nameOf(release, key)), ...SETTING_READERS.keys()];
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
