import { coreValue } from "../../deployment/env-values.ts";
import { selectedAt } from "../sandbox/remote-agents.ts";
import type { Rule } from "../rule.ts";

/** The name of boxd's setting for the start of machine names, and what core takes without it. */
export const PREFIX_SETTING = "BOXD_NAME_PREFIX";
export const DEFAULT_PREFIX = "qm";

/** Machine names begin with core's default prefix. */
export const PREFIX_UNSET: Rule = {
  id: "boxd/prefix-unset",
  title: "boxd machine prefix not set",
  severity: "info",
  clause: null,
  why: "A machine belongs to the deployment whose prefix its name has. Two deployments of one boxd org that both keep core's default prefix would use, and clean up, each other's machines.",
  bad: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": { "BOXD_NAME_PREFIX": "acme-qm" } }, "sandbox": { "backend": "boxd" } }',
  check(deployment, report) {
    const boxd = deployment.sandbox.selected.find((backend) =>
      backend.settings.some((setting) => setting.name === PREFIX_SETTING),
    );
    if (boxd === undefined || deployment.broken || coreValue(deployment.config, PREFIX_SETTING) !== null) return;
    report({
      message: `\`env.core.${PREFIX_SETTING}\` is not set: machines are named \`${DEFAULT_PREFIX}-…\`, as those of every other deployment without one`,
      help: "set a prefix of its own for each deployment that shares a boxd org",
      place: { path: selectedAt(deployment, boxd) },
    });
  },
};
