import type { Release } from "../../catalog/releases/release.ts";
import { perObject } from "../../diagnostics/per-object.ts";
import type { Basis } from "../basis.ts";
import type { Secret } from "../deployment.ts";
import { secretFacts } from "./facts.ts";
import { makeCatalogue } from "./make.ts";

/** Catalogues of a release by the facts that they were made from: most deployments of a fleet are like others of it. */
const cataloguesOf = perObject((_release: Release) => new Map<string, readonly Secret[]>());
const MAX_KNOWN = 256;
/** Of facts that print longer than this nobody has two: they are not worth their memory. */
const MAX_PRINTED = 8_192;

/**
 * The secrets catalogue of a deployment, sorted by name. Two names may have one destination (rules report it), and a
 * destination may also stand in a workload's environment: the secret wins there. Deployments with equal facts get the
 * same list.
 */
export function catalogueSecrets(basis: Basis): readonly Secret[] {
  const facts = secretFacts(basis);
  const { release, ...plain } = facts;
  const known = cataloguesOf(release);
  const key = JSON.stringify(plain);
  const found = known.get(key);
  if (found !== undefined) return found;
  const secrets = makeCatalogue(facts);
  if (known.size >= MAX_KNOWN) known.clear();
  if (key.length <= MAX_PRINTED) known.set(key, secrets);
  return secrets;
}
