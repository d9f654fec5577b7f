import { printPath, type ConfigPath } from "../base/config-path.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** A config path in backquotes, as messages name it: `` `env.core.HARNESS` ``. */
export function field(path: ConfigPath): string {
  return `\`${printPath(path)}\``;
}

/** Texts as a phrase: "a", "a and b", "a, b and c". */
export function phrase(texts: readonly string[], word: "and" | "or" = "and"): string {
  if (texts.length < 2) return texts.join("");
  return `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1)}`;
}

/** Names in backquotes as a phrase. */
export function names(all: readonly string[], word: "and" | "or" = "and"): string {
  return phrase(
    all.map((name) => `\`${name}\``),
    word,
  );
}

/** The name that reports use for a file below the deployment directory. */
export function fileBelow(deployment: Deployment, path: string): string {
  const { directory } = deployment.inputs;
  return directory === null || directory === "." ? path : `${directory.replace(/\/$/, "")}/${path}`;
}

/** True when two config paths are the same place. */
export function samePath(a: ConfigPath, b: ConfigPath): boolean {
  return a.length === b.length && a.every((step, at) => step === b[at]);
}

/** Own value of a map whose keys are user text. */
export function own<T>(map: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** A value that should be a plain word, in backquotes; only described where it is anything else, as it may be secret. */
export function word(value: string): string {
  return /^[A-Za-z0-9_.-]{1,30}$/.test(value) ? `\`${value}\`` : "something else than a name";
}
