import { memoizeLatest } from "../../base/memo.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import type { EnvEntry } from "../../envfile/index.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { FindingPlace } from "../rule.ts";

/** A secret of the catalogue with what `.env` says for it. */
export interface FilledSecret {
  readonly secret: Secret;
  readonly entry: EnvEntry;
  readonly value: string;
}

/** The entries of `.env` that count, by name: of repeated names the last one. */
export function entriesByName({ env }: Deployment): ReadonlyMap<string, EnvEntry> {
  return new Map((env?.entries ?? []).map((entry) => [entry.key, entry]));
}

/** The secrets of the catalogue that `.env` gives a value, sorted by name. */
export const filledSecrets = memoizeLatest((deployment: Deployment): readonly FilledSecret[] => {
  const entries = entriesByName(deployment);
  return deployment.secrets.flatMap((secret) => {
    const entry = entries.get(secret.name);
    return entry === undefined || entry.value.trim() === "" ? [] : [{ secret, entry, value: entry.value }];
  });
});

/** A place in `.env`; the config where there is no `.env`. */
export function inEnvFile({ inputs }: Deployment, range: SourceRange | null): FindingPlace {
  return { file: inputs.envFile?.file ?? inputs.config.file, range: inputs.envFile === null ? null : range };
}
