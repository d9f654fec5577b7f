import type { Condition } from "../../../src/catalog/secret-row.ts";
import type { Release } from "../../../src/catalog/releases/release.ts";
import { secretRows } from "../../../src/catalog/secrets.ts";
import type { SecretRow } from "../../../src/catalog/secret-row.ts";
import { nameOf, serviceOf } from "../../../src/catalog/settings/index.ts";
import type { PeerConfig } from "./peer.ts";

/** What a catalogue says of one name, in a form that two catalogues can be compared in. */
export interface Verdict {
  required: boolean;
  destinations: string[];
}

function value(config: PeerConfig, service: string, name: string): string {
  return config.env[service]?.[name]?.trim() ?? "";
}

function selected(config: PeerConfig, release: Release): Set<string> {
  const primary =
    value(config, "core", "SANDBOX_BACKEND") ||
    config.sandbox?.backend ||
    release.defaultBackend[config.target]?.backend;
  const scopes = value(config, "core", "SANDBOX_SCOPE_BACKENDS");
  return new Set(
    [
      primary,
      value(config, "core", "SANDBOX_SECONDARY_BACKEND"),
      ...(scopes ? Object.values(JSON.parse(scopes) as Record<string, string>) : []),
    ].filter((name): name is string => name !== undefined && name !== ""),
  );
}

function holds(condition: Condition, config: PeerConfig, release: Release): boolean {
  switch (condition.kind) {
    case "target":
      return config.target === condition.target;
    case "backend":
      return selected(config, release).has(condition.backend);
    case "service":
      return config.services.includes(condition.service) === condition.enabled;
    case "provider":
      return (value(config, "core", "MODEL_PROVIDER") || config.modelProvider) === condition.provider;
    case "harness":
      return condition.in.includes(value(config, "core", "HARNESS") || release.defaultHarness[config.target]);
    case "env": {
      const found = value(config, serviceOf(condition.setting), nameOf(release, condition.setting));
      if ("in" in condition) return condition.in.includes(found);
      // None of the configs has blanks, of which qm's own command line and core think differently.
      return (found !== "") === (condition.is !== "absent");
    }
    case "background-work-control":
      return config.target === "aws" && config.aws?.backgroundWorkControl === true;
    case "all":
      return condition.of.every((part) => holds(part, config, release));
    case "any":
      return condition.of.some((part) => holds(part, config, release));
  }
}

/** The catalogue's rows evaluated by the shortest code that can: the tests' own second opinion on src/deployment. */
export function evaluateRows(config: PeerConfig, release: Release): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const row of secretRows(release)) {
    if (!config.services.includes(row.service)) continue;
    const required = requirement(row, config, release);
    if (required === null) continue;
    const before = verdicts.get(row.name) ?? { required: false, destinations: [] };
    const destinations = new Set([
      ...before.destinations,
      `${release.host[row.service]}.${row.setting === undefined ? row.name : nameOf(release, row.setting)}`,
    ]);
    verdicts.set(row.name, { required: before.required || required, destinations: [...destinations].sort() });
  }
  return verdicts;
}

function requirement(row: SecretRow, config: PeerConfig, release: Release): boolean | null {
  if (row.when === undefined || holds(row.when, config, release)) return row.optional !== true;
  return row.otherwise === "optional" ? false : null;
}
