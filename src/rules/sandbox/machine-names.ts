import { coreValue } from "../../deployment/env-values.ts";
import { selectedAt } from "./remote-agents.ts";
import type { Rule } from "../rule.ts";

/** The prefix that tells the machines of deployments apart. */
export const MACHINE_NAME_RULES: readonly Rule[] = [
  {
    id: "boxd/prefix-unset",
    title: "boxd machine prefix not set",
    severity: "info",
    why: "A machine belongs to the deployment whose prefix its name has. Two deployments of one boxd org that both keep core's default prefix would use, and clean up, each other's machines.",
    bad: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": { "BOXD_NAME_PREFIX": "acme-qm" } }, "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      if (deployment.broken) return;
      for (const backend of deployment.sandbox.selected) {
        const { machineNames, title } = backend;
        if (machineNames === null || coreValue(deployment.config, machineNames.prefix.name) !== null) continue;
        const { name, default: prefix } = machineNames.prefix;
        report({
          message: `\`env.core.${name}\` is not set: machines are named \`${prefix}-…\`, as those of every other deployment without one`,
          help: `set a prefix of its own for each deployment that shares a ${title} ${machineNames.org === null ? "key" : "org"}`,
          place: { path: selectedAt(deployment, backend) },
        });
      }
    },
  },
];
