import { isPlainWord } from "../catalog/settings/words.ts";
import { type ConfigPath, printPath } from "../base/config-path.ts";
import type { JsonValue } from "../base/json.ts";
import type { RunnableServiceName, ServiceName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Fix, FixSafety, Severity } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { RuleInfo } from "../diagnostics/rule-info.ts";

export { own } from "../base/json.ts";
export { names, phrase } from "../base/phrase.ts";

/** Where a finding points. */
export type FindingPlace =
  /** The key token of this path (default), or its value; a missing key points at its parent's key or opening brace. */
  | { readonly path: ConfigPath; readonly at?: "key" | "value" }
  /** A place in another file (`.env`, tool.json). */
  | { readonly file: string; readonly range: SourceRange | null };

/** A further place of a finding, with the label that it is shown with; as {@link Diagnostic.related}. */
export interface FurtherPlace {
  readonly place: FindingPlace;
  readonly message: string;
}

/** A finding of a rule, before the rule's own facts are added to it. */
export interface Finding {
  readonly message: string;
  readonly help: string;
  /** As {@link Diagnostic.command}; none where it is not said. */
  readonly command?: string | undefined;
  readonly place: FindingPlace;
  /** As {@link Diagnostic.related}: a place of the config that is not written is left out. */
  readonly related?: readonly FurtherPlace[];
  readonly severity?: Severity;
  readonly fix?: Fix | undefined;
}

/** Takes what a rule finds, at once: what it reported before it threw is kept. */
export type Report = (finding: Finding) => void;

/** One check over a resolved deployment. Never throws for bad input. */
export interface Rule extends Omit<RuleInfo, "severity"> {
  /** "error" where it is not said. */
  readonly severity?: Severity;
  readonly check: (deployment: Deployment, report: Report) => void;
}

/** A config path in backquotes, as messages name it: `` `env.core.HARNESS` ``. */
export function field(path: ConfigPath): string {
  return `\`${printPath(path)}\``;
}

/** A value of the config that a finding is about as well. */
export function beside(path: ConfigPath, message: string): FurtherPlace {
  return { place: { path, at: "value" }, message };
}

/** True when two config paths are the same place. */
export function samePath(a: ConfigPath, b: ConfigPath): boolean {
  return a.length === b.length && a.every((step, at) => step === b[at]);
}

/** Every item whose key an earlier one has, with the first that has it; items without a key are passed over. */
export function* repeats<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string | null | undefined,
): Iterable<readonly [again: T, first: T]> {
  const firsts = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item) ?? null;
    if (key === null) continue;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, item);
    else yield [item, first];
  }
}

/** True for a value of `env` that is written and has a wrong shape, which has a finding of its own. */
export function isUnsoundEnv({ document, config }: Deployment, service: ServiceName, name: string): boolean {
  return document.node(["env", service, name]) !== undefined && config.env?.[service]?.[name] === undefined;
}

/** A value that should be a plain word, in backquotes; only described where it is anything else, as it may be secret. */
export function word(value: string): string {
  return isPlainWord(value) ? `\`${value}\`` : "something else than a name";
}

/** Ends a help that rests on the release, where nothing pins one: the reader may have another in mind. */
export function assumedRelease({ release }: Deployment): string {
  return release.source === "default"
    ? ` (qm ${release.resolved} is assumed: pin @yc-software/qm in package.json, or give --release)`
    : "";
}

/** The severity of what a service refuses when it starts: an error where the release's services are known, else likely. */
export function refusedAtBoot({ release }: Deployment): Severity {
  return release.release.runtimeKnown ? "error" : "warning";
}

/** What becomes of a program that refuses a value, as sure as it is known: "core does not start". */
export function notStarting({ config, release }: Deployment, program: RunnableServiceName): string {
  const { version, runtimeKnown } = release.release;
  if (config.imageOverrides?.[program] !== undefined) return `the ${program} of qm ${version} does not start`;
  return runtimeKnown ? `${program} does not start` : `${program} very likely does not start`;
}

/** Takes a key or an item out. */
export function removal(path: ConfigPath, safety: FixSafety = "suggested", title = `remove ${field(path)}`): Fix {
  return { safety, title, changes: [{ kind: "remove", path }] };
}

/** Writes a value that may be shown; none where it is null, so that "did you mean" and its fix go together. */
export function replacement(
  path: ConfigPath,
  value: string | null,
  title = `set ${field(path)} to \`${value}\``,
): Fix | undefined {
  return value === null ? undefined : { safety: "suggested", title, changes: [{ kind: "set", path, value }] };
}

/** Gives a key another name; as {@link replacement}, none where there is no better one. */
export function renaming(path: ConfigPath, key: string | null): Fix | undefined {
  return key === null
    ? undefined
    : { safety: "suggested", title: `rename it to \`${key}\``, changes: [{ kind: "rename", path, key }] };
}

/** Moves a value to another place of the config. */
export function move(from: ConfigPath, to: ConfigPath, value: JsonValue): Fix {
  const changes = [{ kind: "set", path: to, value } as const, { kind: "remove", path: from } as const];
  return { safety: "suggested", title: `move it to ${field(to)}`, changes };
}
