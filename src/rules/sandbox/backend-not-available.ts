import type { Backend } from "../../catalog/backends/backend.ts";
import { findBackend } from "../../catalog/backends/index.ts";
import { declarableTargets, runnableUnder } from "../../catalog/backends/index.ts";
import { RELEASES } from "../../catalog/releases/index.ts";
import type { TargetName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { assumedRelease } from "../release/assumed.ts";
import { field, names } from "../wording.ts";
import type { Finding, Rule } from "../rule.ts";
import { namedBackends, type NamedBackend } from "./named-backends.ts";

/** A known backend that this release or target cannot run. */
export const BACKEND_NOT_AVAILABLE: Rule = {
  id: "sandbox/backend-not-available",
  title: "Sandbox backend that the target or release cannot run",
  severity: "error",
  clause: "config.v1",
  why: "Each release of qm implements some backends, and wires each only on some targets. With another one core does not start, or its agents cannot run anything.",
  bad: '{ "target": "docker", "sandbox": { "backend": "aws" } }',
  good: '{ "target": "docker", "sandbox": { "backend": "boxd" } }',
  check(deployment, report) {
    for (const mention of namedBackends(deployment)) {
      const backend = findBackend(mention.name);
      const finding = backend === undefined ? null : judgeMention(mention, backend, deployment);
      if (finding !== null) report(finding);
    }
  },
};

function judgeMention(mention: NamedBackend, backend: Backend, deployment: Deployment): Finding | null {
  const { release } = deployment.release;
  const place = { path: mention.path, at: "value" as const };
  if (!runnableUnder(backend, release)) {
    const since = RELEASES.filter((known) => runnableUnder(backend, known)).map((known) => known.version);
    return {
      message: `${field(mention.path)} names \`${backend.name}\`, which qm ${release.version} does not implement`,
      help: `pin @yc-software/qm ${names(since, "or")}, or use another backend${assumedRelease(deployment)}`,
      place,
    };
  }
  const { target } = deployment;
  if (target === null || mayRunOn(mention, backend, target, deployment)) return null;
  const targets = declarableTargets(backend, release);
  const elsewhere = RELEASES.filter((known) => declarableTargets(backend, known).includes(target)).map(
    (known) => known.version,
  );
  if (elsewhere.length > 0) {
    return {
      message: `${field(mention.path)} names \`${backend.name}\`, which qm ${release.version} does not run on ${target}`,
      help: `pin @yc-software/qm ${names(elsewhere, "or")}, or use another backend${assumedRelease(deployment)}`,
      place,
    };
  }
  return {
    message: `${field(mention.path)} names \`${backend.name}\`, which does not run on ${target}`,
    help:
      targets.length === 0
        ? "use another backend"
        : `\`${backend.name}\` runs on ${names(targets)}; use another backend here`,
    place,
  };
}

/** True when a config may name the backend on the target in this way. */
function mayRunOn(mention: NamedBackend, backend: Backend, target: TargetName, deployment: Deployment): boolean {
  if (declarableTargets(backend, deployment.release.release).includes(target)) return true;
  if (mention.role !== "declared") return mayRunByEnv(backend, target);
  // What no release lets a config declare has a finding of its own.
  return !isDeclarable(backend);
}

/**
 * True when core can run the backend on the target where the environment names it: what no release lets a config declare
 * is core's own affair, and what a younger release declares there works by the environment before.
 */
export function mayRunByEnv(backend: Backend, target: TargetName): boolean {
  return !isDeclarable(backend) || RELEASES.some((known) => declarableTargets(backend, known).includes(target));
}

/** True when some release lets a config declare the backend. */
export function isDeclarable(backend: Backend): boolean {
  return RELEASES.some((known) => declarableTargets(backend, known).length > 0);
}
