import { findBackend } from "../../catalog/backends/index.ts";
import type { BackendMention, Deployment } from "../../deployment/deployment.ts";
import { samePath } from "../place.ts";

/** A place of the config that names a sandbox backend, and for what. */
export interface RoleMention extends BackendMention {
  readonly role: "declared" | "effective" | "secondary" | "scope";
}

/** Every place that names a backend for core: the declaration, the environment that overrules it, secondary and scopes. */
export function mentions({ sandbox }: Deployment): RoleMention[] {
  const { declared, effective, secondary, scopes } = sandbox;
  const all: RoleMention[] = [];
  if (declared !== null) all.push({ ...declared, role: "declared" });
  if (effective?.origin.kind === "config" && (declared === null || !samePath(effective.origin.path, declared.path))) {
    all.push({ name: effective.name, path: effective.origin.path, role: "effective" });
  }
  if (secondary !== null) all.push({ ...secondary, role: "secondary" });
  return [...all, ...scopes.map((scope): RoleMention => ({ ...scope, role: "scope" }))];
}

/** True when a place names a backend that nobody knows: what would follow from the right name is not known then. */
export function namesUnknownBackend(deployment: Deployment): boolean {
  return mentions(deployment).some((mention) => findBackend(mention.name) === undefined);
}
