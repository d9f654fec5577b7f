import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/**
 * True for findings about `.env` and the secret values in it. They never stop `render` without `--secrets`, which needs
 * the configuration to be sound and not the secrets to be filled in.
 */
export function concernsSecretValue(diagnostic: Diagnostic, { inputs }: Deployment): boolean {
  return diagnostic.rule.startsWith("env-file/") || diagnostic.file === inputs.envFile?.file;
}
