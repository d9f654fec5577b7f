import type { Basis } from "../basis.ts";
import type { Secret } from "../deployment.ts";
import { SecretCatalogue } from "./catalogue.ts";
import { addPluginSecrets, addRoutedSecrets, addSandboxSecrets } from "./declared.ts";
import { addDockerSecrets } from "./docker.ts";
import { addCatalogueRows } from "./rows.ts";

/**
 * The secrets catalogue of a deployment, sorted by name. Two names may have one destination (rules report it), and a
 * destination may also stand in a workload's environment: the secret wins there.
 */
export function catalogueSecrets(basis: Basis): readonly Secret[] {
  const catalogue = new SecretCatalogue();
  addCatalogueRows(catalogue, basis);
  addDockerSecrets(catalogue, basis);
  addPluginSecrets(catalogue, basis);
  addRoutedSecrets(catalogue, basis);
  addSandboxSecrets(catalogue, basis);
  return catalogue.list();
}
