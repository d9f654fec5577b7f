import { urlHostKind } from "../../catalog/grammar/host.ts";
import { findReservedDomain } from "../../config/reserved-domain.ts";
import type { Secret } from "../../deployment/deployment.ts";
import type { Rule } from "../rule.ts";
import { remoteBackends } from "../sandbox/remote-agents.ts";
import { filledSecrets, inEnvFile } from "./entries.ts";

/** An example domain in a value, judged as `config/reserved-domain` does in the config. */
export const ENV_RESERVED_DOMAIN: Rule = {
  id: "env-file/reserved-domain",
  title: "Reserved example domain in `.env`",
  severity: "warning",
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
};

function isApiUrl({ destinations }: Secret): boolean {
  return destinations.some(({ workload, env }) => workload === "core" && env === "PUBLIC_API_URL");
}
