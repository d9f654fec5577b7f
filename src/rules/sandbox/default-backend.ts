import { assumedRelease } from "../release/assumed.ts";
import type { Rule } from "../rule.ts";

/** A backend that a field chooses by the way. */
export const DEFAULT_BACKEND: Rule = {
  id: "sandbox/default-backend",
  title: "Backend chosen by `sandbox.app`",
  severity: "info",
  clause: null,
  why: "Under qm 0.1.6 `sandbox.app` selects Sprites on fly when nothing else names a backend. A newer release does not: agents would stop working with the upgrade.",
  bad: '{ "target": "fly", "sandbox": { "app": "acme-sandboxes" } }',
  good: '{ "target": "fly", "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
  check(deployment, report) {
    const {
      sandbox: { effective },
      target,
      release,
    } = deployment;
    if (effective?.provenance.kind !== "derived") return;
    const [path = ["sandbox"]] = effective.provenance.from;
    report({
      message: `\`sandbox.app\` selects \`${effective.name}\` on ${target}, as qm ${release.resolved} does when nothing names a backend`,
      help: `say so with \`sandbox.backend\`, or name the backend that you mean${assumedRelease(deployment)}`,
      place: { path },
      fix: {
        safety: "suggested",
        title: `set \`sandbox.backend\` to \`${effective.name}\``,
        changes: [{ kind: "set", path: ["sandbox", "backend"], value: effective.name }],
      },
    });
  },
};
