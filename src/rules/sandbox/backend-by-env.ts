import { findBackend, declarableTargets } from "../../catalog/backends/index.ts";
import { assumedRelease, field, move, names, type Rule } from "../rule.ts";
import { namedBackends, releasesDeclaring } from "./backend-names.ts";
import { type SecretRoute, secretRoutes } from "../secrets/secret-env.ts";

const BACKEND = ["sandbox", "backend"];

/** What says where agents run; resolving reads it, and so does everything that wires a backend. */
const NAMES: ReadonlySet<string> = new Set(["SANDBOX_BACKEND", "SANDBOX_SECONDARY_BACKEND", "SANDBOX_SCOPE_BACKENDS"]);

export const BACKEND_BY_ENV_RULES: readonly Rule[] = [
  {
    id: "sandbox/backend-not-wired",
    title: "Backend that is named, but not wired",
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
        const able = releasesDeclaring(backend, target);
        const declarable = able.includes(release.resolved);
        report({
          message: `${field(path)} alone names \`${name}\`: the Docker socket and the fields of \`sandbox\` never reach it`,
          help: declarable
            ? `set \`sandbox.backend\` to \`${name}\` instead`
            : `pin @yc-software/qm ${names(able, "or")} and set \`sandbox.backend\` to \`${name}\`, or use another backend${assumedRelease(deployment)}`,
          place: { path, at: "value" },
          fix: declarable && role === "effective" ? move(path, BACKEND, name) : undefined,
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
      const { target, release, sandbox } = deployment;
      const backend = sandbox.effective?.backend ?? null;
      if (sandbox.declared !== null || backend === null || sandbox.effective?.provenance.kind !== "config") return;
      if (target === null || !declarableTargets(backend, release.release).includes(target)) return;
      if (backend.dockerSocket && target === "docker") return;
      const { path } = sandbox.effective.provenance;
      report({
        message: `${field(path)} names \`${backend.name}\`, which \`sandbox.backend\` can declare`,
        help: `move it to \`sandbox.backend\`, unless qm's own command line must read this file and refuses it there`,
        place: { path, at: "value" },
        fix: move(path, BACKEND, backend.name),
      });
    },
  },
  {
    id: "sandbox/backend-by-secret",
    title: "Backend kept as a secret",
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

/** True for a route that keeps in a secret where agents run. */
export function keepsBackend({ service, name }: SecretRoute): boolean {
  return NAMES.has(name) && (service === "core" || service === "slack");
}
