import { findBackend } from "../../catalog/backends/index.ts";
import type { BackendMention, Deployment } from "../../deployment/deployment.ts";
import { samePath } from "../rule.ts";

/** A place of the config that names a sandbox backend, and for what. */
export interface NamedBackend extends BackendMention {
  readonly role: "declared" | "effective" | "secondary" | "scope";
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
