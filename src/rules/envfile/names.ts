import { namesCommandsRead, secretRows } from "../../catalog/secrets.ts";
import { closestName } from "../../base/closest-name.ts";
import { names, type Rule } from "../rule.ts";
import { BACKEND_SETTINGS } from "../../catalog/backends/index.ts";
import { entriesByName, inEnvFile, filledSecrets } from "./entries.ts";
import { urlHostKind } from "../../catalog/grammar/host.ts";
import { findReservedDomain } from "../../config/placeholder.ts";
import type { Secret } from "../../deployment/deployment.ts";
import { judgeWritten, writtenSettings } from "../../deployment/written-settings.ts";
import { remoteBackends } from "../sandbox/remote-agents.ts";
import { knowsSecrets } from "../services/service-list.ts";

/** What SOPS and dotenvx write into a file that they encrypt, about how they did it. */
const BOOKKEEPING = /^(?:sops_\w+|DOTENV_PUBLIC_KEY\w*)$/;

export const ENV_FILE_NAME_RULES: readonly Rule[] = [
  {
    id: "env-file/undelivered-setting",
    title: "Setting in `.env`",
    severity: "warning",
    concerns: "secret-values",
    why: "Only secrets of the catalogue go from `.env` to a service. A setting there is delivered nowhere, and core runs with its default.",
    bad: "BOXD_VCPU=4\n",
    good: "# BOXD_VCPU stands in env.core\n",
    check(deployment, report) {
      const consumed = new Set(deployment.secrets.map((secret) => secret.name));
      for (const [name, entry] of entriesByName(deployment)) {
        if (!BACKEND_SETTINGS.has(name) || consumed.has(name)) continue;
        report({
          message: `\`${name}\` is a setting and no secret: nothing delivers it from here`,
          help: `move it to \`env.core.${name}\` in the config`,
          place: inEnvFile(deployment, entry.keyRange),
        });
      }
    },
  },
  {
    id: "env-file/unused-name",
    title: "Name that nothing consumes",
    severity: "warning",
    concerns: "secret-values",
    why: "A value that no service gets is left over, or its name is misspelt and the right one is missing.",
    bad: "CAPABILITY_SECRETS=x\n",
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}\n`,
    check(deployment, report) {
      const { target, release, secrets, env } = deployment;
      if (env === null || target === null || !knowsSecrets(deployment)) return;
      const consumed = new Set(secrets.map((secret) => secret.name));
      const dormant = new Set(secretRows(release.release).map((row) => row.name));
      // Which secrets are used follows from such settings: of one that has to change nobody knows.
      const isOpen = writtenSettings(deployment, "choice").some((one) => judgeWritten(deployment, one) !== null);
      const wanted = secrets.map((secret) => secret.name).filter((name) => (env.values.get(name)?.trim() ?? "") === "");
      for (const [name, entry] of entriesByName(deployment)) {
        if (BOOKKEEPING.test(name)) continue;
        if (BACKEND_SETTINGS.has(name) || consumed.has(name) || namesCommandsRead(target).includes(name)) continue;
        if (isOpen && dormant.has(name)) continue;
        const meant = closestName(name, wanted) ?? sameLetters(name, consumed);
        report({
          message: dormant.has(name)
            ? `\`${name}\` is a secret of qm that this deployment does not use`
            : `\`${name}\` is consumed by nothing`,
          help: meant === null ? unusedHelp(name) : `did you mean ${names([meant])}?`,
          place: inEnvFile(deployment, entry.keyRange),
        });
      }
    },
  },
  {
    id: "env-file/reserved-domain",
    title: "Reserved example domain in `.env`",
    severity: "warning",
    concerns: "secret-values",
    clause: "secrets.computed-set",
    why: "Nobody can own example.com and its like (RFC 2606): mail to it vanishes, and nothing is served there.",
    bad: "PUBLIC_API_URL=https://qm.example.com\n",
    good: "PUBLIC_API_URL=https://qm.acme.dev\n",
    check(deployment, report) {
      const isJudged = remoteBackends(deployment).length > 0;
      for (const { secret, entry, value } of filledSecrets(deployment)) {
        if (findReservedDomain(value) === null) continue;
        // Of a suffix that nobody answers sandbox/api-url-unreachable says more.
        if (isJudged && isApiUrl(secret) && urlHostKind(value.trim()) === "reserved") continue;
        report({
          message: `\`${secret.name}\` names a reserved example domain, which nobody can own`,
          help: "put your own domain there before you deploy",
          place: inEnvFile(deployment, entry.valueRange),
        });
      }
    },
  },
];

/** The secret whose name differs in nothing but case, be it that it has a value. */
function sameLetters(name: string, secrets: ReadonlySet<string>): string | null {
  const upper = name.toUpperCase();
  return secrets.has(upper) ? upper : null;
}

function unusedHelp(name: string): string {
  return `remove it, or route it to the service that needs it, as \`secretEnv.core.${name}\` for instance`;
}

function isApiUrl({ destinations }: Secret): boolean {
  return destinations.some(({ workload, env }) => workload === "core" && env === "PUBLIC_API_URL");
}
