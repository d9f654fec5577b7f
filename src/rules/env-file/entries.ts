import type { Deployment, Secret } from "../../deployment/deployment.ts";
import type { EnvEntry } from "../../envfile/index.ts";
import type { SourceRange } from "../../diagnostics/range.ts";
import type { FindingPlace } from "../rule.ts";

/** A secret of the catalogue with what `.env` says for it. */
export interface FilledSecret {
  readonly secret: Secret;
  readonly entry: EnvEntry;
  readonly value: string;
}

/** The entry that counts for a name: the last one. */
export function entryOf({ env }: Deployment, name: string): EnvEntry | undefined {
  return env?.entries.findLast((entry) => entry.key === name);
}

/** The secrets of the catalogue that `.env` gives a value, sorted by name. */
export function filledSecrets(deployment: Deployment): FilledSecret[] {
  return deployment.secrets.flatMap((secret) => {
    const entry = entryOf(deployment, secret.name);
    return entry === undefined || entry.value.trim() === "" ? [] : [{ secret, entry, value: entry.value }];
  });
}

/** A place in `.env`; the config where there is no `.env`. */
export function inEnvFile({ inputs }: Deployment, range: SourceRange | null): FindingPlace {
  return { file: inputs.envFile?.file ?? inputs.config.file, range: inputs.envFile === null ? null : range };
}
