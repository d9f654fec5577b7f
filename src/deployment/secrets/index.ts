import type { Release } from "../../catalog/releases/release.ts";
import { memoizeByObject } from "../../base/memo.ts";
import { memoizeByText } from "../../base/memo.ts";
import type { DeploymentChoices } from "../choices.ts";
import type { Secret } from "../deployment.ts";
import { type SecretFacts, secretFacts } from "./facts.ts";
import { makeCatalogue } from "./make.ts";

/** Makes the catalogues of a release out of facts as JSON: most deployments of a fleet are like others of it. */
const makerFor = memoizeByObject((release: Release) =>
  memoizeByText(256, (facts): readonly Secret[] =>
    makeCatalogue({ ...(JSON.parse(facts) as Omit<SecretFacts, "release">), release }),
  ),
);

/**
 * The secrets catalogue of a deployment, sorted by name. Two names may have one destination (rules report it), and a
 * destination may also stand in a workload's environment: the secret wins there. Deployments with equal facts get the
 * same list.
 */
export function catalogueSecrets(basis: DeploymentChoices): readonly Secret[] {
  const { release, ...facts } = secretFacts(basis);
  return makerFor(release)(JSON.stringify(facts));
}
