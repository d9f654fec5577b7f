import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** A place for a backend name that holds nothing. */
export const BLANK_BACKEND: Rule = {
  id: "sandbox/blank-backend",
  title: "Blank sandbox backend",
  severity: "error",
  clause: "config.v1",
  why: "qm hands a blank `SANDBOX_BACKEND` on to core, where it hides `sandbox.backend` and the secrets that depend on it.",
  bad: '{ "env": { "core": { "SANDBOX_BACKEND": "" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
  check({ sandbox }, report) {
    for (const path of sandbox.blank) {
      const isScopes = path.at(-1) === "SANDBOX_SCOPE_BACKENDS";
      report({
        message: isScopes ? `${field(path)} leaves a backend blank` : `${field(path)} is blank`,
        help: isScopes
          ? "name a backend for every scope, or remove it"
          : "name a backend, or remove the key: here blank counts as not set, but qm's own `up` would hand it to core",
        place: { path, at: "value" },
        ...(isScopes
          ? {}
          : { fix: { safety: "safe", title: `remove ${field(path)}`, changes: [{ kind: "remove", path }] } }),
      });
    }
  },
};
