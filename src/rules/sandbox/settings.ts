import type { BackendSetting } from "../../catalog/backends/backend.ts";
import { BACKENDS } from "../../catalog/backends/index.ts";
import { SHARED_SETTINGS } from "../../catalog/backends/shared-settings.ts";
import { coreEnvServices, coreValue, envValue, type PlacedValue } from "../../deployment/core-value.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field, names } from "../place.ts";
import type { Rule } from "../rule.ts";
import { isUndecided } from "./mentions.ts";

/** A setting of a selected backend with a value that it cannot use. */
export const BAD_SETTING: Rule = {
  id: "sandbox/bad-setting",
  title: "Backend setting with an unusable value",
  severity: "error",
  clause: "config.v1",
  why: "Core reads these settings when it starts or when it makes the first machine, which is late to learn that a value is wrong.",
  bad: '{ "env": { "core": { "BOXD_VCPU": "3" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": { "BOXD_VCPU": "4" } }, "sandbox": { "backend": "boxd" } }',
  *check(deployment) {
    for (const setting of readSettings(deployment)) {
      for (const { value, path } of written(deployment, setting.name)) {
        const problem = setting.judge(value);
        if (problem === null) continue;
        yield { message: `${field(path)} ${problem.message}`, help: problem.help, severity: problem.severity, place: { path, at: "value" } };
      }
    }
  },
};

/** A setting without which core does not start the backend. */
export const MISSING_SETTING: Rule = {
  id: "sandbox/missing-setting",
  title: "Backend setting missing",
  severity: "error",
  clause: "config.v1",
  why: "Some backends cannot start without a setting: Superserve, for one, must be told which template to boot.",
  bad: '{ "env": { "core": {} }, "sandbox": { "backend": "superserve" } }',
  good: '{ "env": { "core": { "SUPERSERVE_TEMPLATE": "acme-agents" } }, "sandbox": { "backend": "superserve" } }',
  *check(deployment) {
    if (deployment.broken) return;
    for (const backend of deployment.sandbox.selected) {
      for (const setting of backend.settings) {
        if (setting.required !== true || coreValue(deployment.config, setting.name) !== null) continue;
        yield {
          message: `\`env.core.${setting.name}\` is missing, without which core does not start \`${backend.name}\``,
          help: `set it, for instance to \`${setting.example}\` (${setting.description})`,
          place: { path: ["env", "core", setting.name] },
        };
      }
    }
  },
};

/** A setting of a backend that nothing selects. */
export const IDLE_SETTING: Rule = {
  id: "sandbox/idle-setting",
  title: "Setting of a backend that is not selected",
  severity: "warning",
  clause: null,
  why: "The setting reaches core and nothing reads it: either it is left over, or the backend that it belongs to was meant.",
  bad: '{ "env": { "core": { "BOXD_VCPU": "4" } }, "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
  good: '{ "env": { "core": {} }, "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
  *check(deployment) {
    if (isUndecided(deployment) || deployment.broken) return;
    const read = new Set(readSettings(deployment).map((setting) => setting.name));
    for (const [name, readers] of SETTING_READERS) {
      if (read.has(name)) continue;
      for (const { path } of written(deployment, name)) {
        yield {
          message: readers.length === 0 ? `${field(path)} is read by no backend, as none is selected` : `${field(path)} is read only by ${names(readers)}, which ${readers.length === 1 ? "is" : "are"} not selected`,
          help: readers.length === 0 ? "select a backend with `sandbox.backend`, or remove it" : `remove it, or set \`sandbox.backend\` to ${names(readers, "or")}`,
          place: { path },
          fix: { safety: "suggested", title: `remove ${field(path)}`, changes: [{ kind: "remove", path }] },
        };
      }
    }
  },
};

function readersBySetting(): Map<string, string[]> {
  const all = new Map<string, string[]>(SHARED_SETTINGS.map((setting) => [setting.name, []]));
  for (const backend of BACKENDS) {
    for (const setting of backend.settings) all.set(setting.name, [...(all.get(setting.name) ?? []), backend.name]);
  }
  return all;
}

/** Every setting that some backend reads, with the backends that do; none for those that every backend reads. */
export const SETTING_READERS: ReadonlyMap<string, readonly string[]> = readersBySetting();

function readSettings({ sandbox }: Deployment): BackendSetting[] {
  const own = new Map(sandbox.selected.flatMap((backend) => backend.settings.map((setting) => [setting.name, setting] as const)));
  return sandbox.selected.length === 0 ? [] : [...own.values(), ...SHARED_SETTINGS];
}

/** Every place that hands core a value for the name, whether or not another one wins. */
function written({ config }: Deployment, name: string): PlacedValue[] {
  return coreEnvServices(config)
    .map((service) => envValue(config, service, name))
    .filter((value) => value !== null);
}
