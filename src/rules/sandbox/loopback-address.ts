import { urlHostKind } from "../../catalog/grammar/host.ts";
import { coreValue } from "../../deployment/env-values.ts";
import { field, type Rule } from "../rule.ts";

export const LOOPBACK_ADDRESS_RULES: readonly Rule[] = [
  {
    id: "sandbox/loopback-address",
    title: "Address of a backend on loopback",
    severity: "warning",
    why: "Core runs in a container of its own on every target, and an agent on a machine of its own: `localhost` leads each of them to itself, and never to the host or to another container.",
    bad: '{ "env": { "core": { "BOXD_BASE_URL": "http://localhost:9443" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": { "BOXD_BASE_URL": "https://boxd.acme.dev" } }, "sandbox": { "backend": "boxd" } }',
    check({ config, target, sandbox }, report) {
      if (target === null) return;
      for (const { settings, egressSetting } of sandbox.selected) {
        for (const { name, reading } of settings) {
          const written = reading.kind === "url" ? coreValue(config, name) : null;
          if (written === null || !["loopback", "unspecified"].includes(urlHostKind(written.value) ?? "")) continue;
          const whose = name === egressSetting ? "the agent's own machine" : "the container of core itself";
          report({
            message: `${field(written.path)} leads to ${whose}, where nothing answers`,
            help:
              target === "docker"
                ? "use an address that is reachable from the container, such as that of another machine"
                : "use an address that is reachable from there",
            place: { path: written.path, at: "value" },
          });
        }
      }
    },
  },
];
