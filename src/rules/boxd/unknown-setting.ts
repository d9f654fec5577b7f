import type { Backend } from "../../catalog/backends/backend.ts";
import { closestName } from "../../base/closest-name.ts";
import { coreEnvServices } from "../../deployment/env-values.ts";
import { memoizeByObject } from "../../base/memo.ts";
import { field, names } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** What begins the names of boxd's settings and of its secret. */
const FAMILY = "BOXD_";

/** The names of boxd's family that a backend reads as settings, and all that it knows. */
const namesOf = memoizeByObject(({ settings, secrets }: Backend) => {
  const own = settings.map(({ name }) => name).filter((name) => name.startsWith(FAMILY));
  return { settings: own, known: new Set([...own, ...secrets.map(({ name }) => name)]) };
});

/** A name of boxd's family that boxd's backend does not read. */
export const UNKNOWN_SETTING: Rule = {
  id: "boxd/unknown-setting",
  title: "boxd setting that nothing reads",
  severity: "warning",
  clause: null,
  why: "Core takes a setting with a misspelt name without a word, and makes machines as if it were not there: of another size, or in another org.",
  bad: '{ "env": { "core": { "BOXD_VCPUS": "2", "BOXD_NAME_PREFIX": "acme-qm" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": { "BOXD_VCPU": "2", "BOXD_NAME_PREFIX": "acme-qm" } }, "sandbox": { "backend": "boxd" } }',
  check({ config, sandbox }, report) {
    const boxd = sandbox.selected.find((backend) => namesOf(backend).settings.length > 0);
    if (boxd === undefined) return;
    const { settings, known } = namesOf(boxd);
    for (const service of coreEnvServices(config)) {
      for (const name of Object.keys(config.env?.[service] ?? {})) {
        if (!name.startsWith(FAMILY) || known.has(name)) continue;
        const meant = closestName(name, settings);
        report({
          message: `${field(["env", service, name])} is no setting of \`${boxd.name}\``,
          help: meant === null ? `remove it; ${boxd.name} has ${names(settings)}` : `did you mean \`${meant}\`?`,
          place: { path: ["env", service, name] },
        });
      }
    }
  },
};
