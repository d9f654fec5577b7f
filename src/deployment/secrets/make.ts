import type { Secret } from "../deployment.ts";
import { SecretCatalogue } from "./catalogue.ts";
import { addPluginSecrets, addRoutedSecrets, addSandboxSecrets } from "./declared.ts";
import { addDockerSecrets } from "./docker.ts";
import type { SecretFacts } from "./facts.ts";
import { addCatalogueRows } from "./rows.ts";

/** Makes the secrets catalogue out of its facts, sorted by name. */
export function makeCatalogue(facts: SecretFacts): readonly Secret[] {
  const catalogue = new SecretCatalogue();
  addCatalogueRows(catalogue, facts);
  addDockerSecrets(catalogue, facts);
  addPluginSecrets(catalogue, facts);
  addRoutedSecrets(catalogue, facts);
  addSandboxSecrets(catalogue, facts);
  return catalogue.list();
}
