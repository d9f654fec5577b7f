import type { ConfigPath } from "../../base/config-path.ts";
import { declarableBackends } from "../../catalog/backends/index.ts";
import { secretRows } from "../../catalog/secrets.ts";
import { settingTakes, settingWords, vocabulary, type VocabularyEntry } from "../../catalog/vocabulary.ts";
import { isSecretPlace, kindOfPath } from "../../config/path-at.ts";
import { fieldDoc } from "../../config/schema/field-docs.ts";
import { schemaAt } from "../../config/schema/lookup.ts";
import type { Deployment } from "../../deployment/deployment.ts";

/** What a name or word is; a `literal` stands without quotes. */
export type OfferKind = "field" | "setting" | "secret" | "word" | "literal";

/** A name or word that may stand somewhere, with what it is for. */
export interface Offer {
  readonly name: string;
  readonly kind: OfferKind;
  readonly detail: string | null;
  /** As Markdown. */
  readonly description: string | null;
}

function bare(kind: OfferKind): (name: string) => Offer {
  return (name) => ({ name, kind, detail: null, description: null });
}

/** The keys that the object at a path knows. */
export function keyOffers(deployment: Deployment, path: ConfigPath): Offer[] {
  const [top, service] = path;
  if (path.length === 2 && top === "env")
    return vocabulary()
      .filter((entry) => entry.service === service && entry.releases.includes(deployment.release.release))
      .map(settingOffer);
  if (path.length === 2 && top === "secretEnv") return secretOffers(deployment);
  return (schemaAt(path)?.names ?? []).map((name) => ({
    name,
    kind: "field",
    detail: null,
    description: fieldDoc([...path, name])?.text ?? null,
  }));
}

function settingOffer(entry: VocabularyEntry): Offer {
  const { name, description, default: standard, example } = entry.setting;
  const lines = [
    `${description}.`,
    `Takes ${settingTakes(entry)}.`,
    ...(standard === undefined ? [] : [`Default: \`${standard}\`.`]),
    ...(example === undefined ? [] : [`For example \`${example}\`.`]),
  ];
  const detail = entry.backend === null ? entry.service : `${entry.service}, for ${entry.backend}`;
  return { name, kind: "setting", detail, description: lines.join("\n\n") };
}

/** The values that the place at a path takes, where they are a closed set or names that are known. */
export function valueOffers(deployment: Deployment, path: ConfigPath): Offer[] {
  const kind = kindOfPath(path);
  if (kind === "sandbox.backend") return backendOffers(deployment);
  if (isSecretPlace(kind)) return secretOffers(deployment);
  if (kind === "env.*.*") {
    const entries = vocabulary().filter(({ service, setting }) => service === path[1] && setting.name === path[2]);
    return [...new Set(entries.flatMap(settingWords))].map(bare("word"));
  }
  const info = schemaAt(path);
  if (info?.kind === "boolean") return ["true", "false"].map(bare("literal"));
  return info?.kind === "names" ? info.names.map(bare("word")) : [];
}

function backendOffers({ target, release }: Deployment): Offer[] {
  return declarableBackends(target, release.release).map(({ name, title, summary }) => ({
    name,
    kind: "word",
    detail: title,
    description: summary,
  }));
}

/** Names of secrets that the release, the backends or `.env` know. */
function secretOffers(deployment: Deployment): Offer[] {
  const offers = new Map<string, Offer>();
  const add = (name: string, description: string): void => {
    if (!offers.has(name)) offers.set(name, { name, kind: "secret", detail: null, description });
  };
  for (const { name, description } of deployment.secrets) add(name, description);
  for (const { name, description } of secretRows(deployment.release.release)) add(name, description);
  for (const { key } of deployment.env?.entries ?? []) add(key, "stands in `.env`");
  return [...offers.values()];
}
