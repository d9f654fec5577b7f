import { closestName } from "../../base/closest-name.ts";
import { coreEnvServices } from "../../deployment/env-values.ts";
import { field, names } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** A name of a selected backend's family that the backend does not read. */
export const UNKNOWN_SETTING: Rule = {
  id: "boxd/unknown-setting",
  title: "boxd setting that nothing reads",
  severity: "warning",
  clause: null,
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
};
