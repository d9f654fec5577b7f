import { type SecretRoute, secretRoutes } from "../secrets/secret-env.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** What says where agents run; resolving reads it, and so does everything that wires a backend. */
const NAMES: ReadonlySet<string> = new Set(["SANDBOX_BACKEND", "SANDBOX_SECONDARY_BACKEND", "SANDBOX_SCOPE_BACKENDS"]);

/** True for a route that keeps in a secret where agents run. */
export function keepsBackend({ service, name }: SecretRoute): boolean {
  return NAMES.has(name) && (service === "core" || service === "slack");
}

/** A backend that only the store of secrets knows. */
export const BACKEND_BY_SECRET: Rule = {
  id: "sandbox/backend-by-secret",
  title: "Backend kept as a secret",
  severity: "error",
  clause: "config.secretEnv",
  why: "Which backend core runs decides which secrets it needs and what is wired for it. A value in the store of secrets is known to nobody who judges or renders the config, and collides with the one that is rendered.",
  bad: '{ "secretEnv": { "core": { "SANDBOX_BACKEND": "ACME_BACKEND" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "sandbox": { "backend": "boxd" } }',
  check(deployment, report) {
    for (const route of secretRoutes(deployment)) {
      if (!keepsBackend(route)) continue;
      const { name, path } = route;
      report({
        message: `${field(path)} keeps in a secret what the config must say`,
        help:
          name === "SANDBOX_BACKEND"
            ? "name the backend in `sandbox.backend`, and remove it here"
            : `write it as ${field(["env", "core", name])}, and remove it here`,
        place: { path },
      });
    }
  },
};
