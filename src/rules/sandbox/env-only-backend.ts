import { findBackend } from "../../catalog/backends/index.ts";
import { runnableUnder } from "../../catalog/backends/index.ts";
import { envValue } from "../../deployment/env-values.ts";
import type { ConfigChange } from "../../diagnostics/diagnostic.ts";
import type { Rule } from "../rule.ts";
import { isDeclarable } from "./backend-not-available.ts";

/** `sandbox.backend` names a backend that qm takes only from `env.core.SANDBOX_BACKEND`. */
export const ENV_ONLY_BACKEND: Rule = {
  id: "sandbox/env-only-backend",
  title: "Backend that only `env.core.SANDBOX_BACKEND` can name",
  severity: "error",
  clause: "config.v1",
  why: "Some backends exist in core but not in the config: qm refuses them in `sandbox.backend` under every release.",
  bad: '{ "sandbox": { "backend": "smolmachines" } }',
  good: '{ "env": { "core": { "SANDBOX_BACKEND": "smolmachines" } }, "sandbox": {} }',
  check({ sandbox, config, release }, report) {
    const { declared } = sandbox;
    const backend = declared === null ? undefined : findBackend(declared.name);
    if (declared === null || backend === undefined || !runnableUnder(backend, release.release)) return;
    if (isDeclarable(backend)) return;
    const changes: ConfigChange[] = [{ kind: "remove", path: declared.path }];
    if (envValue(config, "core", "SANDBOX_BACKEND") === null) {
      changes.push({ kind: "set", path: ["env", "core", "SANDBOX_BACKEND"], value: declared.name });
    }
    report({
      message: `\`sandbox.backend\` cannot name \`${declared.name}\`: qm takes it only from \`env.core.SANDBOX_BACKEND\``,
      help: "name it in `env.core.SANDBOX_BACKEND`, and remove `sandbox.backend`",
      place: { path: declared.path, at: "value" },
      fix: { safety: "suggested", title: "move it to `env.core.SANDBOX_BACKEND`", changes },
    });
  },
};
