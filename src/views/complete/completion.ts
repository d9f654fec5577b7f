import { lineStart } from "../../base/text-edit.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { Span } from "../../config/node.ts";
import { schemaAt } from "../../config/schema/lookup.ts";
import { scanTrivia } from "../../config/trivia.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { keyOffers, type OfferKind, valueOffers } from "./offers.ts";
import { type ConfigPlace, placeAt } from "./place.ts";

/** Something that may stand at a place of a text, and what writing it there changes. */
export interface Completion {
  readonly name: string;
  readonly kind: OfferKind;
  /** What it is, in a word or two. */
  readonly detail: string | null;
  /** What it is for, as Markdown. */
  readonly description: string | null;
  /** What is replaced: offsets in UTF-16 units, `end` exclusive. */
  readonly range: Span;
  readonly text: string;
  /** Where in `text` the cursor goes. */
  readonly cursor: number;
}

/**
 * What may stand at an offset of a config: fields and words of the schema, names and words of settings, backends, services, secrets.
 * `text` is the config as it is being written, from which `deployment` was resolved.
 */
export function completeConfig(text: string, deployment: Deployment, offset: number): Completion[] {
  const place = placeAt(text, offset);
  if (place === null) return [];
  const offers = place.isKey ? keyOffers(deployment, place.path) : valueOffers(deployment, place.path);
  const here = place.isKey ? keysAt(deployment, place) : itemsAt(deployment, place);
  const current = text.slice(place.token.start, place.token.end).replaceAll('"', "");
  const comma = isFollowedByAnother(text, place.token.end) ? "," : "";
  const isMember = place.isKey && !/^\s*:/.test(text.slice(place.token.end));
  return offers
    .filter(({ name }) => name === current || !here.has(name))
    .map((offer): Completion => {
      const written = offer.kind === "literal" ? offer.name : JSON.stringify(offer.name);
      const facts = { ...offer, range: place.token };
      if (place.isKey && !isMember) return { ...facts, text: written, cursor: written.length };
      const [before, after] = isMember ? memberAround(written, [...place.path, offer.name]) : [written, ""];
      const all = `${before}${after}${comma}`;
      return { ...facts, text: all, cursor: isMember ? before.length : all.length };
    });
}

/** A new member, cut where its value is to be written. */
function memberAround(name: string, path: ConfigPath): readonly [before: string, after: string] {
  const kind = schemaAt(path)?.kind ?? "string";
  if (kind === "object" || kind === "map") return [`${name}: { `, " }"];
  if (kind === "array") return [`${name}: [`, "]"];
  return kind === "number" || kind === "boolean" || kind === "literal" ? [`${name}: `, ""] : [`${name}: "`, '"'];
}

/** True where a member or item comes next and no comma before it. */
function isFollowedByAnother(text: string, end: number): boolean {
  const rest = text.slice(end);
  let at = 0;
  for (const comment of scanTrivia(rest).comments) {
    if (rest.slice(at, comment.start).trim() !== "") break;
    at = comment.end;
  }
  return /^\s*["{[\w-]/.test(rest.slice(at));
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

/** The names that an env file lacks, at the beginning of a line. `text` is the file as it is being written. */
export function completeEnv(text: string, deployment: Deployment, offset: number): Completion[] {
  const line = lineStart(text, offset);
  const word = /^\s*(?:export\s+)?(\w*)$/.exec(text.slice(line, offset))?.[1];
  if (word === undefined) return [];
  const after = /^\w*/.exec(text.slice(offset))?.[0] ?? "";
  const range = { start: offset - word.length, end: offset + after.length };
  const isAssigned = /^[ \t]*=/.test(text.slice(range.end));
  const there = new Set(deployment.env?.entries.map(({ key }) => key));
  return deployment.secrets
    .filter(({ managedBy, name }) => managedBy === "operator" && (name === word + after || !there.has(name)))
    .map(({ name, description, required, reason }): Completion => {
      const written = isAssigned ? name : `${name}=`;
      const detail = required ? "required" : "optional";
      const facts = { name, kind: "secret" as const, detail, description: `${description}\n\n${reason}` };
      return { ...facts, range, text: written, cursor: written.length };
    });
}
