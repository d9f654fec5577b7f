import { type CompletionItem, CompletionItemKind, InsertTextFormat } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { BACKENDS, declarableTargets } from "../catalog/backends/index.ts";
import { secretRows } from "../catalog/secrets.ts";
import { settingTakes, settingWords, vocabulary, type VocabularyEntry } from "../catalog/vocabulary.ts";
import type { ConfigPath } from "../base/config-path.ts";
import { isSecretPlace, kindOfPath } from "../config/path-at.ts";
import { schemaAt } from "../config/schema/lookup.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { type ConfigPlace, placeAt } from "./place.ts";

/** A name or word that may stand somewhere, with what it is for. */
interface Offer {
  readonly name: string;
  readonly detail?: string;
  readonly documentation?: string;
  readonly kind: CompletionItemKind;
}

/** What may stand at an offset of a config: keys and words of the schema, names and values of settings, backends, services, secrets. */
export function completeConfig(open: TextDocument, deployment: Deployment, offset: number): CompletionItem[] {
  const text = open.getText();
  const place = placeAt(text, offset);
  const offers = place.isKey ? keyOffers(deployment, place.path) : valueOffers(deployment, place.path);
  const here = place.isKey ? keysAt(deployment, place) : itemsAt(deployment, place);
  const current = text.slice(place.token.start, place.token.end).replaceAll('"', "");
  const range = { start: open.positionAt(place.token.start), end: open.positionAt(place.token.end) };
  const isFollowed = /^\s*:/.test(text.slice(place.token.end));
  return offers
    .filter(({ name }) => name === current || !here.has(name))
    .map(({ name, detail, documentation, kind }) => {
      const quoted = kind === CompletionItemKind.Value && /^(?:true|false)$/.test(name) ? name : JSON.stringify(name);
      const isMember = place.isKey && !isFollowed;
      const newText = isMember ? `${escapedSnippet(quoted)}: ${valueSnippet([...place.path, name])}` : quoted;
      return {
        label: name,
        kind,
        filterText: quoted,
        textEdit: { range, newText },
        ...(isMember ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
        ...(detail === undefined ? {} : { detail }),
        ...(documentation === undefined ? {} : { documentation: { kind: "markdown" as const, value: documentation } }),
      };
    });
}

function escapedSnippet(text: string): string {
  return text.replaceAll(/[\\$}]/g, "\\$&");
}

/** What a new member begins with, by its kind. */
function valueSnippet(path: ConfigPath): string {
  const kind = schemaAt(path)?.kind ?? "string";
  if (kind === "object" || kind === "map") return "{ $0 }";
  if (kind === "array") return "[$0]";
  return kind === "number" || kind === "boolean" || kind === "literal" ? "$0" : '"$0"';
}

function keysAt({ document }: Deployment, { path }: ConfigPlace): ReadonlySet<string> {
  const node = document.node(path);
  return new Set(node?.kind === "object" ? node.members.map(({ key }) => key) : []);
}

/** The items of the list that an item is in. */
function itemsAt({ document }: Deployment, { path }: ConfigPlace): ReadonlySet<string> {
  const node = typeof path.at(-1) === "number" ? document.node(path.slice(0, -1)) : undefined;
  return new Set(
    node?.kind === "array" ? node.items.flatMap((item) => (item.kind === "string" ? item.value : [])) : [],
  );
}

function keyOffers(deployment: Deployment, path: ConfigPath): Offer[] {
  const [top, service] = path;
  if (path.length === 2 && top === "env")
    return vocabulary()
      .filter((entry) => entry.service === service && entry.releases.includes(deployment.release.release))
      .map(settingOffer);
  if (path.length === 2 && top === "secretEnv") return secretOffers(deployment);
  return (schemaAt(path)?.names ?? []).map((name) => ({ name, kind: CompletionItemKind.Property }));
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
  return { name, detail, documentation: lines.join("\n\n"), kind: CompletionItemKind.Variable };
}

function valueOffers(deployment: Deployment, path: ConfigPath): Offer[] {
  const { release } = deployment.release;
  const kind = kindOfPath(path);
  if (kind === "sandbox.backend")
    return BACKENDS.filter((backend) => {
      const targets = declarableTargets(backend, release);
      return deployment.target === null ? targets.length > 0 : targets.includes(deployment.target);
    }).map(({ name, title, summary }) => ({
      name,
      detail: title,
      documentation: summary,
      kind: CompletionItemKind.EnumMember,
    }));
  if (isSecretPlace(kind)) return secretOffers(deployment);
  if (kind === "env.*.*") {
    const entries = vocabulary().filter(({ service, setting }) => service === path[1] && setting.name === path[2]);
    return [...new Set(entries.flatMap(settingWords))].map((name) => ({ name, kind: CompletionItemKind.EnumMember }));
  }
  const info = schemaAt(path);
  if (info?.kind === "boolean") return ["true", "false"].map((name) => ({ name, kind: CompletionItemKind.Value }));
  return info?.kind === "names" ? info.names.map((name) => ({ name, kind: CompletionItemKind.EnumMember })) : [];
}

/** Names of secrets that the release, the backends or `.env` know. */
function secretOffers(deployment: Deployment): Offer[] {
  const offers = new Map<string, Offer>();
  const add = (name: string, documentation: string): void => {
    if (!offers.has(name)) offers.set(name, { name, documentation, kind: CompletionItemKind.Constant });
  };
  for (const { name, description } of deployment.secrets) add(name, description);
  for (const { name, description } of secretRows(deployment.release.release)) add(name, description);
  for (const { key } of deployment.env?.entries ?? []) add(key, "stands in `.env`");
  return [...offers.values()];
}

/** The names that `.env` lacks, at the beginning of a line. */
export function completeEnv(open: TextDocument, deployment: Deployment, offset: number): CompletionItem[] {
  const text = open.getText();
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  const word = /^\s*(?:export\s+)?(\w*)$/.exec(text.slice(start, offset))?.[1];
  if (word === undefined) return [];
  const isAssigned = /^\w*\s*=/.test(text.slice(offset));
  const rest = /^\w*/.exec(text.slice(offset))?.[0] ?? "";
  const range = { start: open.positionAt(offset - word.length), end: open.positionAt(offset + rest.length) };
  const there = new Set(deployment.env?.entries.map(({ key }) => key));
  return deployment.secrets
    .filter(({ managedBy }) => managedBy === "operator")
    .filter(({ name }) => name === word + rest || !there.has(name))
    .map(({ name, description, required, reason }) => ({
      label: name,
      kind: CompletionItemKind.Constant,
      detail: required ? "required" : "optional",
      documentation: { kind: "markdown" as const, value: `${description}\n\n${reason}` },
      textEdit: { range, newText: isAssigned ? name : `${name}=` },
    }));
}
