import { hostKind, type HostKind, readWebUrl } from "../../catalog/grammar/host.ts";
import { findSecretPlaceholder } from "../../config/placeholder.ts";
import { coreValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { entryOf, inEnvFile } from "../envfile/entries.ts";
import { field, names } from "../wording.ts";
import type { FindingPlace, Rule } from "../rule.ts";
import { remoteBackends } from "./remote-agents.ts";

const NAME = "PUBLIC_API_URL";

/** Where hosts of each kind are reached from, as words that complete "leads to …"; the rest is public. */
const UNREACHABLE: { readonly [kind in Exclude<HostKind, "public">]: string } = {
  loopback: "the agent's own machine (a loopback address)",
  unspecified: "no machine (an unspecified address)",
  private: "a private network",
  "link-local": "the agent's own network (a link-local address)",
  reserved: "nowhere (a reserved address)",
};

/** Agents that run elsewhere, and an address that they cannot use. */
export const API_URL_UNREACHABLE: Rule = {
  id: "sandbox/api-url-unreachable",
  title: "Address of core that remote agents cannot use",
  severity: "error",
  clause: null,
  why: "Agents on remote machines call core under PUBLIC_API_URL. On loopback or in a private network they reach something else or nothing, and over plain http their rights can be read on the way.",
  bad: '{ "env": { "core": { "PUBLIC_API_URL": "http://localhost:8080" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
  check(deployment, report) {
    const remote = remoteBackends(deployment).map((backend) => backend.name);
    if (remote.length === 0) return;
    for (const { value, what, place } of addresses(deployment)) {
      const problem = judge(value);
      if (problem === null) continue;
      report({
        message: `${what} ${problem}, so agents on ${names(remote)} cannot work with core`,
        help: "use an https address of core that is reachable from the internet, for instance through a reverse proxy or a tunnel",
        place,
      });
    }
  },
};

/** What core will be told, as far as it is known: `.env` (the value is a secret of the catalogue), and `env`. */
function addresses(deployment: Deployment): { value: string; what: string; place: FindingPlace }[] {
  const found: { value: string; what: string; place: FindingPlace }[] = [];
  const inEnv = coreValue(deployment.config, NAME);
  if (inEnv !== null)
    found.push({ value: inEnv.value, what: field(inEnv.path), place: { path: inEnv.path, at: "value" } });
  const route = deployment.secrets.find((secret) =>
    secret.destinations.some(({ workload, env }) => workload === "core" && env === NAME),
  );
  const entry = route === undefined ? undefined : entryOf(deployment, route.name);
  if (entry !== undefined && route !== undefined) {
    found.push({
      value: entry.value.trim(),
      what: `\`${route.name}\``,
      place: inEnvFile(deployment, entry.valueRange),
    });
  }
  return found.filter(({ value }) => findSecretPlaceholder(value) === null);
}

/** Null for what agents can reach, and for what is no URL, which is another finding. */
function judge(value: string): string | null {
  const url = readWebUrl(value);
  if (url === null) return null;
  const kind = hostKind(url.hostname);
  if (kind !== "public") return `leads to ${UNREACHABLE[kind]}`;
  return url.protocol === "http:" ? "uses plain http" : null;
}
