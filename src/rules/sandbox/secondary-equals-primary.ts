import { field, word } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** The secondary backend is the primary one. */
export const SECONDARY_EQUALS_PRIMARY: Rule = {
  id: "sandbox/secondary-equals-primary",
  title: "Secondary backend equal to the primary",
  severity: "error",
  clause: "config.v1",
  why: "The secondary backend is where agents move to and from; core refuses one that is the primary again.",
  bad: '{ "env": { "core": { "SANDBOX_SECONDARY_BACKEND": "boxd" } }, "sandbox": { "backend": "boxd" } }',
  good: '{ "env": { "core": { "SANDBOX_SECONDARY_BACKEND": "sprites" } }, "sandbox": { "backend": "boxd" } }',
  check({ sandbox: { effective, secondary } }, report) {
    if (secondary === null || secondary.name !== effective?.name) return;
    report({
      message: `${field(secondary.path)} names ${word(secondary.name)}, which is the primary backend already`,
      help: "name another backend, or remove it",
      place: { path: secondary.path, at: "value" },
      fix: {
        safety: "suggested",
        title: `remove ${field(secondary.path)}`,
        changes: [{ kind: "remove", path: secondary.path }],
      },
    });
  },
};
