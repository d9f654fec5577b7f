import type { Backend } from "../../catalog/backends/backend.ts";
import { urlHostKind, hostKind, type HostKind, readWebUrl } from "../../catalog/grammar/host.ts";
import { coreValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { apiOrigin } from "../../deployment/api-origin.ts";
import { selectingPlaces } from "../../deployment/backend-selection.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { field, type FindingPlace, names, type Rule } from "../rule.ts";
import { findSecretPlaceholder } from "../../config/placeholder.ts";
import { entriesByName, inEnvFile } from "../envfile/entries.ts";

const NAME = "PUBLIC_API_URL";

/** Where hosts of each kind are reached from, as words that complete "leads to …"; the rest is public. */
const UNREACHABLE: { readonly [kind in Exclude<HostKind, "public">]: string } = {
  loopback: "the agent's own machine (a loopback address)",
  unspecified: "no machine (an unspecified address)",
  private: "a private network",
  "link-local": "the agent's own network (a link-local address)",
  reserved: "nowhere (a reserved address)",
};

export const REMOTE_AGENT_RULES: readonly Rule[] = [
  {
    id: "sandbox/local-public-url",
    title: "Local `publicUrl` with remote agents",
    severity: "warning",
    why: "Agents on remote machines hand out links of QM and call it back; a `publicUrl` on localhost leads them to their own machine.",
    bad: '{ "publicUrl": "http://localhost:8082", "sandbox": { "backend": "boxd" } }',
    good: '{ "publicUrl": "https://qm.acme.dev", "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      const { publicOrigin } = deployment;
      const [backend] = remoteBackends(deployment);
      if (backend === undefined || publicOrigin === null || urlHostKind(publicOrigin) !== "loopback") return;
      report({
        message: `\`publicUrl\` is on this machine, which agents on \`${backend.name}\` cannot reach`,
        help: "use an address that is reachable from the internet, for instance through a tunnel",
        place: { path: ["publicUrl"], at: "value" },
      });
    },
  },
  {
    id: "sandbox/open-egress",
    title: "Open egress of agent machines",
    severity: "info",
    why: "Without an egress proxy nothing limits where agents connect to.",
    bad: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": { "BOXD_EGRESS_PROXY_URL": "https://egress.acme.dev:8443" } }, "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      if (deployment.broken) return;
      for (const backend of deployment.sandbox.selected) {
        const { egressSetting } = backend;
        if (egressSetting === null || coreValue(deployment.config, egressSetting) !== null) continue;
        report({
          message: `agents on \`${backend.name}\` may connect to anywhere, as \`env.core.${egressSetting}\` is not set`,
          help: `set it to a proxy of yours if agents must not reach everything`,
          place: { path: selectedAt(deployment, backend) },
        });
      }
    },
  },
  {
    id: "sandbox/api-url-unreachable",
    title: "Address of core that remote agents cannot use",
    why: "Agents on remote machines call core under PUBLIC_API_URL. On loopback or in a private network they reach something else or nothing, and over plain http their rights can be read on the way.",
    bad: '{ "env": { "core": { "PUBLIC_API_URL": "http://localhost:8080" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      const remote = remoteBackends(deployment).map((backend) => backend.name);
      if (remote.length === 0) return;
      for (const { value, what, place } of addresses(deployment)) {
        const problem = addressProblem(value);
        if (problem === null) continue;
        report({
          message: `${what} ${problem}, so agents on ${names(remote)} cannot work with core`,
          help: "use an https address of core that is reachable from the internet, for instance through a reverse proxy or a tunnel",
          place,
        });
      }
    },
  },
  {
    id: "sandbox/api-url-unserved",
    title: "Address of core that nothing serves",
    severity: "warning",
    why: "On fly and aws what is rendered answers at `apiUrl` where it is set, else at `publicUrl`; core itself has no public address there. Agents that call another one find nothing, unless a proxy of yours forwards it.",
    bad: '{ "target": "fly", "env": { "core": { "PUBLIC_API_URL": "https://acme-core.fly.dev" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "target": "fly", "env": { "core": { "PUBLIC_API_URL": "https://qm.acme.dev" } }, "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      const { target, config, document } = deployment;
      const expected = apiOrigin(deployment);
      if ((target !== "fly" && target !== "aws") || expected === null || remoteBackends(deployment).length === 0)
        return;
      const what = config.apiUrl === undefined ? "publicUrl" : "apiUrl";
      for (const { value, what: name, place } of addresses(deployment)) {
        const url = readWebUrl(value);
        // Of a value of `.env` on aws, env-file/api-url says it.
        const isSaid = target === "aws" && "file" in place && place.file !== document.file;
        if (url === null || isSaid || url.origin === expected || addressProblem(value) !== null) continue;
        report({
          message: `${name} is not the address of \`${what}\`, and nothing that is rendered for ${target} serves another one`,
          help: `use the address of \`${what}\`, unless a proxy of yours leads from the other one to core`,
          place,
        });
      }
    },
  },
];

/** Selected backends whose agents run outside the operator's network. */
export function remoteBackends({ sandbox }: Deployment): Backend[] {
  return sandbox.selected.filter((backend) => backend.remote);
}

/** The place that selects a backend, for findings about it. */
export function selectedAt({ sandbox }: Deployment, backend: Backend): ConfigPath {
  return selectingPlaces(sandbox, backend.name)[0] ?? ["sandbox", "backend"];
}

/** What core will be told, as far as it is known: `.env` (the value is a secret of the catalogue), and `env`. */
function addresses(deployment: Deployment): { value: string; what: string; place: FindingPlace }[] {
  const found: { value: string; what: string; place: FindingPlace }[] = [];
  const inEnv = coreValue(deployment.config, NAME);
  if (inEnv !== null)
    found.push({ value: inEnv.value, what: field(inEnv.path), place: { path: inEnv.path, at: "value" } });
  const route = deployment.secrets.find((secret) =>
    secret.destinations.some(({ workload, env }) => workload === "core" && env === NAME),
  );
  const entry = route === undefined ? undefined : entriesByName(deployment).get(route.name);
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
function addressProblem(value: string): string | null {
  const url = readWebUrl(value);
  if (url === null) return null;
  const kind = hostKind(url.hostname);
  if (kind !== "public") return `leads to ${UNREACHABLE[kind]}`;
  return url.protocol === "http:" ? "uses plain http" : null;
}
