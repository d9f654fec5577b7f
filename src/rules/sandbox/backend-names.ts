import { closestName } from "../../base/closest-name.ts";
import { BACKENDS, findBackend, declarableTargets, runnableUnder } from "../../catalog/backends/index.ts";
import type { BackendMention, Deployment } from "../../deployment/deployment.ts";
import {
  assumedRelease,
  field,
  type Finding,
  move,
  names,
  removal,
  replacement,
  type Rule,
  samePath,
  word,
} from "../rule.ts";
import type { Backend } from "../../catalog/backends/backend.ts";
import { RELEASES } from "../../catalog/releases/index.ts";
import type { TargetName } from "../../config/written-config.ts";
import { envValue } from "../../deployment/env-values.ts";

/** A place of the config that names a sandbox backend, and for what. */
export interface NamedBackend extends BackendMention {
  readonly role: "declared" | "effective" | "secondary" | "scope";
}

export const BACKEND_NAME_RULES: readonly Rule[] = [
  {
    id: "sandbox/unknown-backend",
    title: "Unknown sandbox backend",
    clause: "config.v1",
    why: "Core refuses to start with a backend that it does not know, and qm itself does not look at names in `env`.",
    bad: '{ "sandbox": { "backend": "boxed" } }',
    good: '{ "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      for (const mention of namedBackends(deployment)) {
        if (findBackend(mention.name) === undefined) report(unknown(mention, deployment));
      }
    },
  },
  {
    id: "sandbox/backend-not-available",
    title: "Sandbox backend that the target or release cannot run",
    clause: "config.v1",
    why: "Each release of qm implements some backends, and wires each only on some targets. With another one core does not start, or its agents cannot run anything.",
    bad: '{ "target": "docker", "sandbox": { "backend": "aws" } }',
    good: '{ "target": "docker", "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      for (const mention of namedBackends(deployment)) {
        const backend = findBackend(mention.name);
        const finding = backend === undefined ? null : unavailable(mention, backend, deployment);
        if (finding !== null) report(finding);
      }
    },
  },
  {
    id: "sandbox/env-only-backend",
    title: "Backend that only `env.core.SANDBOX_BACKEND` can name",
    clause: "config.v1",
    why: "Some backends exist in core but not in the config: qm refuses them in `sandbox.backend` under every release.",
    bad: '{ "sandbox": { "backend": "smolmachines" } }',
    good: '{ "env": { "core": { "SANDBOX_BACKEND": "smolmachines" } }, "sandbox": {} }',
    check({ sandbox, config, release }, report) {
      const { declared } = sandbox;
      const backend = declared === null ? undefined : findBackend(declared.name);
      if (declared === null || backend === undefined || !runnableUnder(backend, release.release)) return;
      if (isDeclarable(backend)) return;
      const title = "move it to `env.core.SANDBOX_BACKEND`";
      const isFree = envValue(config, "core", "SANDBOX_BACKEND") === null;
      report({
        message: `\`sandbox.backend\` cannot name \`${declared.name}\`: qm takes it only from \`env.core.SANDBOX_BACKEND\``,
        help: "name it in `env.core.SANDBOX_BACKEND`, and remove `sandbox.backend`",
        place: { path: declared.path, at: "value" },
        fix: isFree
          ? move(declared.path, ["env", "core", "SANDBOX_BACKEND"], declared.name)
          : removal(declared.path, "suggested", title),
      });
    },
  },
];

function unknown(mention: NamedBackend, deployment: Deployment): Finding {
  const meant = closestName(
    mention.name,
    BACKENDS.map(({ name }) => name),
  );
  const where = mention.role === "scope" ? `a scope of ${field(mention.path)}` : field(mention.path);
  return {
    message: `${where} names ${word(mention.name)}, which is no sandbox backend that qm-deploy knows`,
    help: `${meant === null ? "" : `did you mean \`${meant}\`? `}${choices(deployment, mention)}`,
    place: { path: mention.path, at: "value" },
    fix: mention.role === "scope" ? undefined : replacement(mention.path, meant, `write \`${meant}\``),
  };
}

function choices({ release, target }: Deployment, mention: NamedBackend): string {
  const here = BACKENDS.filter((backend) => {
    if (target !== null && mention.role === "declared")
      return declarableTargets(backend, release.release).includes(target);
    return runnableUnder(backend, release.release) && (target === null || mayRunByEnv(backend, target));
  });
  return `known ${target === null ? "under" : `on ${target} under`} qm ${release.resolved}: ${names(here.map((backend) => backend.name))}`;
}

function unavailable(mention: NamedBackend, backend: Backend, deployment: Deployment): Finding | null {
  const { path } = mention;
  const { name } = backend;
  const { target } = deployment;
  const { release } = deployment.release;
  const finding = (what: string, help: string): Finding => {
    return { message: `${field(path)} names \`${name}\`, which ${what}`, help, place: { path, at: "value" } };
  };
  const pin = (releases: readonly string[]): string =>
    `pin @yc-software/qm ${names(releases, "or")}, or use another backend${assumedRelease(deployment)}`;
  if (!runnableUnder(backend, release)) {
    const since = RELEASES.filter((known) => runnableUnder(backend, known)).map(({ version }) => version);
    return finding(`qm ${release.version} does not implement`, pin(since));
  }
  if (target === null || mayRunOn(mention, backend, target, deployment)) return null;
  const elsewhere = releasesDeclaring(backend, target);
  if (elsewhere.length > 0) return finding(`qm ${release.version} does not run on ${target}`, pin(elsewhere));
  const targets = declarableTargets(backend, release);
  const instead = targets.length === 0 ? "" : `\`${name}\` runs on ${names(targets)}; `;
  return finding(`does not run on ${target}`, `${instead}use another backend${targets.length === 0 ? "" : " here"}`);
}

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
function mayRunByEnv(backend: Backend, target: TargetName): boolean {
  return !isDeclarable(backend) || releasesDeclaring(backend, target).length > 0;
}

export function releasesDeclaring(backend: Backend, target: TargetName): string[] {
  return RELEASES.filter((known) => declarableTargets(backend, known).includes(target)).map(({ version }) => version);
}

function isDeclarable(backend: Backend): boolean {
  return RELEASES.some((known) => declarableTargets(backend, known).length > 0);
}

/** Every place that names a backend for core: the declaration, the environment that overrules it, secondary and scopes. */
export function namedBackends({ sandbox }: Deployment): NamedBackend[] {
  const { declared, effective, secondary, scopes } = sandbox;
  const all: NamedBackend[] = [];
  if (declared !== null) all.push({ ...declared, role: "declared" });
  if (
    effective?.provenance.kind === "config" &&
    (declared === null || !samePath(effective.provenance.path, declared.path))
  ) {
    all.push({ name: effective.name, path: effective.provenance.path, role: "effective" });
  }
  if (secondary !== null) all.push({ ...secondary, role: "secondary" });
  return [...all, ...scopes.map((scope): NamedBackend => ({ ...scope, role: "scope" }))];
}

/**
 * True when it is not certain which backend is meant: a name that nobody knows, or a declaration that the environment
 * overrules. Each is a finding; what follows from the choice is not checked before it is made.
 */
export function isUndecided(deployment: Deployment): boolean {
  const { declared, effective } = deployment.sandbox;
  if (declared !== null && effective !== null && declared.name !== effective.name) return true;
  return namedBackends(deployment).some((mention) => findBackend(mention.name) === undefined);
}
