import { memoizeByObject } from "../../base/memo.ts";
import type { Release } from "../../catalog/releases/release.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";
import { envValue } from "../../deployment/env-values.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { SETTING_READERS } from "./settings.ts";

/** Everything in the environment that says where agents run and how. */
const coreNames = memoizeByObject((release: Release): readonly string[] => [
  nameOf(release, "core.sandboxBackend"),
  nameOf(release, "core.secondaryBackend"),
  nameOf(release, "core.scopeBackends"),
  ...SETTING_READERS.keys(),
]);

/** A setting of the sandboxes, given to a service that runs none. */
export const MISPLACED_SETTING: Rule = {
  id: "sandbox/misplaced-setting",
  title: "Sandbox setting of a service that runs no sandbox",
  severity: "error",
  clause: null,
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
          ...(envValue(config, "core", name) === null
            ? {
                fix: {
                  safety: "suggested",
                  title: `move it to ${field(target)}`,
                  changes: [
                    { kind: "set", path: target, value: config.env[service]?.[name] ?? written.value },
                    { kind: "remove", path: written.path },
                  ],
                },
              }
            : {}),
        });
      }
    }
  },
};
