import { coreValue } from "../../deployment/env-values.ts";
import { assumedRelease } from "../release/assumed.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";

const NAME = "SANDBOX_SCOPE_BACKENDS";

/** `SANDBOX_SCOPE_BACKENDS` that cannot be read. */
export const MALFORMED_SCOPES: Rule = {
  id: "sandbox/malformed-scopes",
  title: "Malformed scope backends",
  severity: "error",
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
};

/** `SANDBOX_SCOPE_BACKENDS` under a release whose core does not look at it. */
export const SCOPES_NOT_READ: Rule = {
  id: "sandbox/scopes-not-read",
  title: "Scope backends that the release does not read",
  severity: "warning",
  clause: null,
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
};
