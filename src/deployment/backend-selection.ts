import { findBackend } from "../catalog/backends/index.ts";
import type { Release } from "../catalog/releases/release.ts";
import type { TargetName, WrittenConfig } from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";
import { parseJson } from "../base/json.ts";
import { nameOf } from "../catalog/settings/index.ts";
import { parseDocument } from "../config/parse.ts";
import { blankCoreValues, type PlacedValue, settingValue } from "./env-values.ts";
import type { BackendMention, SandboxSelection } from "./deployment.ts";
import { defaultOf, derivedFrom, type Provenance, provenancePaths, writtenAt } from "./provenance.ts";

const DECLARATION: ConfigPath = ["sandbox", "backend"];
const SELECTING = ["core.sandboxBackend", "core.secondaryBackend", "core.scopeBackends"] as const;

/** Computes the selected backends of a deployment; nothing else decides which backend runs (docs/contract/qm-config.md#effective-backend). */
export function selectBackends(config: WrittenConfig, release: Release, target: TargetName | null): SandboxSelection {
  const written = config.sandbox?.backend?.trim();
  const declared: BackendMention | null = written ? { name: written, path: DECLARATION } : null;
  const effective = effectiveBackend(config, release, target, declared);
  const secondary = mentioned(settingValue(config, release, "core.secondaryBackend"));
  const scopesValue = release.scopeBackends ? settingValue(config, release, "core.scopeBackends") : null;
  const reading = scopesValue === null ? null : readScopes(scopesValue.value);
  const scopes = (reading?.names ?? []).map((name): BackendMention => ({ name, path: scopesValue?.path ?? [] }));
  const names = [effective?.name, secondary?.name, ...scopes.map((scope) => scope.name)];
  const known = names
    .map((name) => (name === undefined ? undefined : findBackend(name)))
    .filter((backend) => backend !== undefined);
  return {
    declared,
    effective,
    secondary,
    scopes,
    selected: [...new Set(known)],
    scopesProblem: reading?.problem ?? null,
    blank: [
      ...(written === "" ? [DECLARATION] : []),
      ...SELECTING.filter((key) => key !== "core.scopeBackends" || release.scopeBackends).flatMap((key) =>
        blankCoreValues(config, nameOf(release, key)),
      ),
      ...(reading?.blank === true && scopesValue !== null ? [scopesValue.path] : []),
    ],
  };
}

/** The config places that select a backend, primary first; empty where the release's default does. */
export function selectingPlaces(sandbox: SandboxSelection, backend: string): ConfigPath[] {
  const places: ConfigPath[] = [];
  if (sandbox.effective?.name === backend) places.push(...provenancePaths(sandbox.effective.provenance));
  for (const mention of [sandbox.secondary, ...sandbox.scopes]) {
    if (mention?.name === backend) places.push(mention.path);
  }
  return [...new Set(places)];
}

function effectiveBackend(
  config: WrittenConfig,
  release: Release,
  target: TargetName | null,
  declared: BackendMention | null,
): SandboxSelection["effective"] {
  const chosen = mentioned(settingValue(config, release, "core.sandboxBackend")) ?? declared;
  if (chosen !== null) return withBackend(chosen.name, writtenAt(chosen.path));
  const standard = target === null ? undefined : release.defaultBackend[target];
  if (standard === undefined) return null;
  const how = `what qm ${release.version} runs on ${target} when nothing names a backend`;
  if (standard.ifApp !== true) return withBackend(standard.backend, defaultOf(release, how));
  const provenance = derivedFrom([["sandbox", "app"]], `${how} and \`sandbox.app\` is set`);
  return config.sandbox?.app?.trim() ? withBackend(standard.backend, provenance) : null;
}

function mentioned(found: PlacedValue | null): BackendMention | null {
  return found === null ? null : { name: found.value, path: found.path };
}

function withBackend(name: string, provenance: Provenance): SandboxSelection["effective"] {
  return { name, provenance, backend: findBackend(name) ?? null };
}

/**
 * Reads a JSON object from scopes to backend names, which come trimmed, in the order written. `problem` does not repeat the
 * value. Never throws; a scope may have any name, `__proto__` too.
 */
function readScopes(text: string): { names: readonly string[]; blank: boolean; problem: string | null } {
  const unreadable = (problem: string) => ({ names: [], blank: false, problem });
  const value = parseJson(text);
  if (value === undefined) return unreadable("is not JSON");
  if (Array.isArray(value)) return unreadable("is a JSON array, not an object from scopes to backends");
  if (value === null || typeof value !== "object") return unreadable("is not a JSON object from scopes to backends");
  const values: unknown[] = Object.values(value);
  const names = values.filter((name) => typeof name === "string").map((name) => name.trim());
  return {
    names: names.filter((name) => name !== ""),
    blank: names.includes(""),
    problem:
      names.length < values.length
        ? "names a backend that is not a string"
        : repeatsKey(text, values.length)
          ? "names a scope twice, of which only the last counts"
          : null,
  };
}

/** True when a JSON object has more members than keys: its parser keeps the last of each and says nothing. */
function repeatsKey(text: string, keys: number): boolean {
  const { root } = parseDocument({ file: "scopes", text });
  return root?.kind === "object" && root.members.length > keys;
}
