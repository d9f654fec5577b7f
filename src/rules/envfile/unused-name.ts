import { namesCommandsRead } from "../../catalog/secrets.ts";
import { secretRows } from "../../catalog/secrets.ts";
import { closestName } from "../../base/closest-name.ts";
import { names } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { SETTING_READERS } from "../sandbox/settings.ts";
import { entriesByName, entryOf, inEnvFile } from "./entries.ts";

/** A setting of core in `.env`, from where nothing takes it. */
export const UNDELIVERED_SETTING: Rule = {
  id: "env-file/undelivered-setting",
  title: "Setting in `.env`",
  severity: "warning",
  clause: null,
  why: "Only secrets of the catalogue go from `.env` to a service. A setting there is delivered nowhere, and core runs with its default.",
  bad: "BOXD_VCPU=4\n",
  good: "# BOXD_VCPU stands in env.core\n",
  check(deployment, report) {
    const consumed = new Set(deployment.secrets.map((secret) => secret.name));
    for (const [name, entry] of entriesByName(deployment)) {
      if (!SETTING_READERS.has(name) || consumed.has(name)) continue;
      report({
        message: `\`${name}\` is a setting and no secret: nothing delivers it from here`,
        help: `move it to \`env.core.${name}\` in the config`,
        place: inEnvFile(deployment, entry.keyRange),
      });
    }
  },
};

/** A name that nothing consumes. */
export const UNUSED_NAME: Rule = {
  id: "env-file/unused-name",
  title: "Name that nothing consumes",
  severity: "warning",
  clause: null,
  why: "A value that no service gets is left over, or its name is misspelt and the right one is missing.",
  bad: "CAPABILITY_SECRETS=x\n",
  good: `CAPABILITY_SECRET=${"5e".repeat(32)}\n`,
  check(deployment, report) {
    const { broken, target, release, secrets } = deployment;
    if (broken || target === null) return;
    const consumed = new Set(secrets.map((secret) => secret.name));
    const dormant = new Set(secretRows(release.release).map((row) => row.name));
    const wanted = secrets
      .map((secret) => secret.name)
      .filter((name) => (entryOf(deployment, name)?.value.trim() ?? "") === "");
    for (const [name, entry] of entriesByName(deployment)) {
      if (SETTING_READERS.has(name) || consumed.has(name) || namesCommandsRead(target).includes(name)) continue;
      const meant = closestName(name, wanted);
      report({
        message: dormant.has(name)
          ? `\`${name}\` is a secret of qm that this deployment does not use`
          : `\`${name}\` is consumed by nothing`,
        help: meant === null ? unusedHelp(name) : `did you mean ${names([meant])}?`,
        place: inEnvFile(deployment, entry.keyRange),
      });
    }
  },
};

function unusedHelp(name: string): string {
  return `remove it, or route it to the service that needs it, as \`secretEnv.core.${name}\` for instance`;
}
