import { provenancePaths } from "../../deployment/provenance.ts";
import { field, word } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** `sandbox.backend` says one thing, and the environment of core another. */
export const BACKEND_MISMATCH: Rule = {
  id: "sandbox/backend-mismatch",
  title: "Declared and effective backend disagree",
  severity: "error",
  clause: "config.v1",
  why: "The environment wins inside core, while volumes, sockets and secrets are wired for what `sandbox.backend` declares: the result is neither of the two.",
  bad: '{ "env": { "core": { "SANDBOX_BACKEND": "sprites" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
  check({ sandbox: { declared, effective } }, report) {
    if (declared === null || effective === null || declared.name === effective.name) return;
    const [path = declared.path] = provenancePaths(effective.provenance);
    report({
      message: `${field(path)} names ${word(effective.name)}, but \`sandbox.backend\` declares ${word(declared.name)}`,
      help: `core would run what the environment names: keep the one that you mean, in \`sandbox.backend\`, and remove the other`,
      place: { path, at: "value" },
      fix: {
        safety: "suggested",
        title: `remove ${field(path)}, so that the declared one runs`,
        changes: [{ kind: "remove", path }],
      },
    });
  },
};
