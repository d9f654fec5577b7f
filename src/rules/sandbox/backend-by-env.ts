import type { Backend } from "../../catalog/backends/backend.ts";
import { findBackend } from "../../catalog/backends/index.ts";
import { declarableTargets } from "../../catalog/backends/index.ts";
import { RELEASES } from "../../catalog/releases/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { Fix } from "../../diagnostics/diagnostic.ts";
import { assumedRelease } from "../release/assumed.ts";
import { field, names } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { namedBackends } from "./named-backends.ts";

/** A backend that runs on the docker host, named where qm does not look when it wires the host. */
export const BACKEND_NOT_WIRED: Rule = {
  id: "sandbox/backend-not-wired",
  title: "Backend that is named, but not wired",
  severity: "error",
  clause: "config.v1",
  why: "qm mounts the Docker socket and delivers `sandbox.image` only for what `sandbox.backend` declares. Named by the environment alone, core looks for a daemon that it cannot reach.",
  bad: '{ "target": "docker", "env": { "core": { "SANDBOX_BACKEND": "local" } }, "sandbox": {} }',
  good: '{ "target": "docker", "env": { "core": {} }, "sandbox": { "backend": "local" } }',
  check(deployment, report) {
    const { target, sandbox, release } = deployment;
    if (target !== "docker") return;
    for (const { name, path, role } of namedBackends(deployment)) {
      const backend = findBackend(name);
      // A declaration of another backend disagrees with the environment, which is a finding of its own.
      const isUnwired =
        role === "effective" ? sandbox.declared === null : role !== "declared" && sandbox.declared?.name !== name;
      if (backend === undefined || !backend.dockerSocket || !isUnwired) continue;
      const able = RELEASES.filter((known) => declarableTargets(backend, known).includes(target)).map(
        (known) => known.version,
      );
      const declarable = able.includes(release.resolved);
      report({
        message: `${field(path)} alone names \`${name}\`: the Docker socket and the fields of \`sandbox\` never reach it`,
        help: declarable
          ? `set \`sandbox.backend\` to \`${name}\` instead`
          : `pin @yc-software/qm ${names(able, "or")} and set \`sandbox.backend\` to \`${name}\`, or use another backend${assumedRelease(deployment)}`,
        place: { path, at: "value" },
        ...(declarable && role === "effective" ? { fix: move(backend, path) } : {}),
      });
    }
  },
};

/** A backend named in the environment although the config has a field for it. */
export const BACKEND_BY_ENV: Rule = {
  id: "sandbox/backend-by-env",
  title: "Backend named by the environment",
  severity: "info",
  clause: null,
  why: "`sandbox.backend` is the one place for the backend: secrets and fields are judged by it, and readers look there. qm's own command line of today takes some backends only from the environment, so that moving it is your choice.",
  bad: '{ "env": { "core": { "SANDBOX_BACKEND": "boxd" } }, "sandbox": {} }',
  good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
  check(deployment, report) {
    const found = chosenByEnv(deployment);
    if (found === null || (found.backend.dockerSocket && deployment.target === "docker")) return;
    const { backend, path } = found;
    if (
      deployment.target === null ||
      !declarableTargets(backend, deployment.release.release).includes(deployment.target)
    )
      return;
    report({
      message: `${field(path)} names \`${backend.name}\`, which \`sandbox.backend\` can declare`,
      help: `move it to \`sandbox.backend\`, unless qm's own command line must read this file and refuses it there`,
      place: { path, at: "value" },
      fix: move(backend, path),
    });
  },
};

/** The effective backend where the environment alone names it. */
function chosenByEnv({ sandbox }: Deployment): { backend: Backend; path: ConfigPath } | null {
  const { declared, effective } = sandbox;
  if (declared !== null || effective === null || effective.backend === null || effective.provenance.kind !== "config")
    return null;
  return { backend: effective.backend, path: effective.provenance.path };
}

function move(backend: Backend, path: ConfigPath): Fix {
  return {
    safety: "suggested",
    title: "move it to `sandbox.backend`",
    changes: [
      { kind: "set", path: ["sandbox", "backend"], value: backend.name },
      { kind: "remove", path },
    ],
  };
}
