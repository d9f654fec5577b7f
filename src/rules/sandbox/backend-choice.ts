import { assumedRelease, field, removal, replacement, type Rule, word, beside } from "../rule.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { provenancePaths } from "../../deployment/provenance.ts";
import { coreValue } from "../../deployment/env-values.ts";

const NAME = "SANDBOX_SCOPE_BACKENDS";

export const BACKEND_CHOICE_RULES: readonly Rule[] = [
  {
    id: "sandbox/backend-mismatch",
    title: "Declared and effective backend disagree",
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
        related: [beside(declared.path, "declared here")],
        fix: removal(path, "suggested", `remove ${field(path)}, so that the declared one runs`),
      });
    },
  },
  {
    id: "sandbox/blank-backend",
    title: "Blank sandbox backend",
    clause: "config.v1",
    why: "qm hands a blank `SANDBOX_BACKEND` on to core, where it hides `sandbox.backend` and the secrets that depend on it.",
    bad: '{ "env": { "core": { "SANDBOX_BACKEND": "" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
    check({ sandbox, target }, report) {
      for (const path of sandbox.blank) {
        const name = path.at(-1);
        const isScopes = name === "SANDBOX_SCOPE_BACKENDS";
        // Core trims the secondary one itself; on aws qm's own renderer takes a blank primary for none.
        const isNone = name === "SANDBOX_SECONDARY_BACKEND" || (name === "SANDBOX_BACKEND" && target === "aws");
        report({
          message: isScopes ? `${field(path)} leaves a backend blank` : `${field(path)} is blank`,
          help: isScopes ? "name a backend for every scope, or remove it" : blankHelp(path, isNone),
          severity: isNone ? "info" : "error",
          place: { path, at: "value" },
          fix: isScopes ? undefined : removal(path, "safe"),
        });
      }
    },
  },
  {
    id: "sandbox/secondary-equals-primary",
    title: "Secondary backend equal to the primary",
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
        related: provenancePaths(effective.provenance).map((path) => beside(path, "the primary backend")),
        fix: removal(secondary.path),
      });
    },
  },
  {
    id: "sandbox/malformed-scopes",
    title: "Malformed scope backends",
    clause: "config.v1",
    why: "`SANDBOX_SCOPE_BACKENDS` is JSON inside a string: an object from scopes to backend names. qm stops with a bare SyntaxError when it is not, and of a scope that stands twice it drops the first without a word.",
    bad: '{ "env": { "core": { "SANDBOX_SCOPE_BACKENDS": "channel=boxd" } } }',
    good: '{ "env": { "core": { "SANDBOX_SCOPE_BACKENDS": "{\\"channel\\":\\"boxd\\"}" } } }',
    check({ sandbox, config }, report) {
      const scopes = coreValue(config, NAME);
      if (sandbox.scopesProblem === null || scopes === null) return;
      report({
        message: `${field(scopes.path)} ${sandbox.scopesProblem}`,
        help: 'write a JSON object from scopes to backends with each scope once, such as `"{\\"channel\\":\\"boxd\\"}"`',
        place: { path: scopes.path, at: "value" },
      });
    },
  },
  {
    id: "sandbox/scopes-not-read",
    title: "Scope backends that the release does not read",
    severity: "warning",
    why: "Only newer releases of qm choose a backend by scope. An older core ignores the setting, and every agent runs on the primary backend.",
    bad: '{ "env": { "core": { "SANDBOX_SCOPE_BACKENDS": "{\\"channel\\":\\"boxd\\"}" } } }',
    good: '{ "env": { "core": {} } }',
    check(deployment, report) {
      const scopes = coreValue(deployment.config, NAME);
      if (scopes === null || deployment.release.release.scopeBackends) return;
      report({
        message: `${field(scopes.path)} is not read by qm ${deployment.release.resolved}`,
        help: `remove it, or pin a release that reads it${assumedRelease(deployment)}`,
        place: { path: scopes.path },
      });
    },
  },
  {
    id: "sandbox/default-backend",
    title: "Backend chosen by `sandbox.app`",
    severity: "info",
    why: "Under qm 0.1.6 `sandbox.app` selects Sprites on fly when nothing else names a backend. A newer release does not: agents would stop working with the upgrade.",
    bad: '{ "target": "fly", "sandbox": { "app": "acme-sandboxes" } }',
    good: '{ "target": "fly", "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
    check(deployment, report) {
      const { sandbox, target, release } = deployment;
      const { effective } = sandbox;
      if (effective?.provenance.kind !== "derived") return;
      const [path = ["sandbox"]] = effective.provenance.from;
      report({
        message: `\`sandbox.app\` selects \`${effective.name}\` on ${target}, as qm ${release.resolved} does when nothing names a backend`,
        help: `say so with \`sandbox.backend\`, or name the backend that you mean${assumedRelease(deployment)}`,
        place: { path },
        fix: replacement(["sandbox", "backend"], effective.name),
      });
    },
  },
];

function blankHelp(path: ConfigPath, isNone: boolean): string {
  if (isNone) return "remove the key: blank counts as not set";
  return path[0] === "sandbox"
    ? "name a backend, or remove the key: qm refuses a blank one"
    : "name a backend, or remove the key: here blank counts as not set, but qm's own `up` would hand it to core";
}
