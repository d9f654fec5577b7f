import type { Backend } from "../../catalog/backends/backend.ts";
import { urlHostKind } from "../../catalog/grammar/host.ts";
import { coreValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { selectingPlaces } from "../../deployment/backend-selection.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { Rule } from "../rule.ts";

/** Selected backends whose agents run outside the operator's network. */
export function remoteBackends({ sandbox }: Deployment): Backend[] {
  return sandbox.selected.filter((backend) => backend.remote);
}

/** The place that selects a backend, for findings about it. */
export function selectedAt({ sandbox }: Deployment, backend: Backend): ConfigPath {
  return selectingPlaces(sandbox, backend.name)[0] ?? ["sandbox", "backend"];
}

/** A public address that only this machine can reach, with agents that run elsewhere. */
export const LOCAL_PUBLIC_URL: Rule = {
  id: "sandbox/local-public-url",
  title: "Local `publicUrl` with remote agents",
  severity: "warning",
  clause: null,
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
};

/** Agents may open connections to anywhere. */
export const OPEN_EGRESS: Rule = {
  id: "sandbox/open-egress",
  title: "Open egress of agent machines",
  severity: "info",
  clause: null,
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
};
