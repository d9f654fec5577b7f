import { field, own } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** How a plugin calls core. */
const CORE_NAMES = ["CORE_API_URL", "CORE_SIGNING_SECRET"];

/** One environment name that a plugin would get twice. */
export const REPEATED_NAME: Rule = {
  id: "plugins/repeated-name",
  title: "Environment name that a plugin has twice",
  severity: "error",
  clause: "config.v1",
  why: "A container has one value for each name: of a value in `env` and a secret of the same name, one would be lost.",
  bad: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}", "secrets": [{ "name": "ACME_LOGIN" }, { "name": "ACME_LOGIN" }] }] }`,
  good: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}", "env": { "ACME_MODE": "1" }, "secrets": [{ "name": "ACME_LOGIN" }] }] }`,
  check({ config }, report) {
    for (const [at, plugin] of (config.plugins ?? []).entries()) {
      const seen = new Set<string>();
      for (const [index, { name }] of (plugin.secrets ?? []).entries()) {
        if (name === undefined) continue;
        const path = ["plugins", at, "secrets", index, "name"];
        // A secret's name in `env` is what secrets/catalogue-secret says already.
        if (seen.has(name))
          report({
            message: `${field(path)} is declared a second time`,
            help: "remove one of them",
            place: { path, at: "value" },
          });
        seen.add(name);
      }
    }
  },
};

/** A plugin that must not call core, and is told how. */
export const CORE_ACCESS: Rule = {
  id: "plugins/core-access",
  title: "Plugin without access to core that names it",
  severity: "error",
  clause: "config.v1",
  why: "`coreAccess: false` keeps the address and the key of core from a plugin. qm refuses to hand them over under their names all the same.",
  bad: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}", "coreAccess": false, "env": { "CORE_API_URL": "http://core:8080" } }] }`,
  good: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}", "coreAccess": false }] }`,
  check({ config }, report) {
    for (const [at, plugin] of (config.plugins ?? []).entries()) {
      if (plugin.coreAccess !== false) continue;
      // A key of core in `env` is a secret in the wrong place, which has its own finding.
      const inEnv = own(plugin.env, "CORE_API_URL") === undefined ? [] : [["plugins", at, "env", "CORE_API_URL"]];
      const inSecrets = (plugin.secrets ?? []).flatMap(({ name }, index) =>
        name !== undefined && CORE_NAMES.includes(name) ? [["plugins", at, "secrets", index, "name"]] : [],
      );
      for (const path of [...inEnv, ...inSecrets]) {
        report({
          message: `${field(path)} gives the plugin what \`coreAccess: false\` keeps from it`,
          help: "remove it, or set `coreAccess` to true",
          place: { path },
        });
      }
    }
  },
};
