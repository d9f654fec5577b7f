import type { Backend } from "../../catalog/backends/backend.ts";
import { findBackend, declarableTargets } from "../../catalog/backends/index.ts";
import { RELEASES } from "../../catalog/releases/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { Fix } from "../../diagnostics/diagnostic.ts";
import { assumedRelease, field, names, type Rule } from "../rule.ts";
import { namedBackends } from "./named-backends.ts";
import { type SecretRoute, secretRoutes } from "../secrets/secret-env.ts";

/** What says where agents run; resolving reads it, and so does everything that wires a backend. */
const NAMES: ReadonlySet<string> = new Set(["SANDBOX_BACKEND", "SANDBOX_SECONDARY_BACKEND", "SANDBOX_SCOPE_BACKENDS"]);

/** Backends that the environment or a secret names. */
export const BACKEND_BY_ENV_RULES: readonly Rule[] = [
  {
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
  },
  {
    id: "sandbox/backend-by-env",
    title: "Backend named by the environment",
    severity: "info",
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
  },
  {
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
  },
];

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

/** True for a route that keeps in a secret where agents run. */
export function keepsBackend({ service, name }: SecretRoute): boolean {
  return NAMES.has(name) && (service === "core" || service === "slack");
}
