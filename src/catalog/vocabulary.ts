import { SERVICE_NAMES, type ServiceName } from "../config/written-config.ts";
import { compareText } from "../base/text-order.ts";
import { BACKENDS } from "./backends/index.ts";
import { RELEASES } from "./releases/index.ts";
import type { Release } from "./releases/release.ts";
import { settingsOf } from "./settings/index.ts";
import type { Setting } from "./settings/setting.ts";

/** A setting as people meet it: a name that a service reads, with the releases under which it does. */
export interface VocabularyEntry {
  readonly service: ServiceName;
  readonly setting: Setting;
  /** The sandbox backend that it configures; null for all others. */
  readonly backend: string | null;
  /** Oldest first, never empty. */
  readonly releases: readonly Release[];
}

/** Every name of `env` that qm reads, by service and then by name: what explain, completion, the schema and the docs are made from. */
export function vocabulary(): readonly VocabularyEntry[] {
  return SERVICE_NAMES.flatMap((service) =>
    [...ofService(service), ...(service === "core" ? ofBackends() : [])].sort((a, b) =>
      compareText(a.setting.name, b.setting.name),
    ),
  );
}

function ofService(service: ServiceName): VocabularyEntry[] {
  const byName = new Map<string, { setting: Setting; releases: Release[] }>();
  for (const release of RELEASES) {
    for (const [name, setting] of settingsOf(release, service)) {
      if (setting.isSecret === true) continue;
      const known = byName.get(name);
      if (known === undefined) byName.set(name, { setting, releases: [release] });
      else known.releases.push(release);
    }
  }
  return [...byName.values()].map((entry) => ({ ...entry, service, backend: null }));
}

function ofBackends(): VocabularyEntry[] {
  return BACKENDS.flatMap(({ name, settings }) =>
    settings.map((setting) => ({ service: "core" as const, setting, backend: name, releases: RELEASES })),
  );
}

/** Where a setting is written: `env.core.HARNESS`. */
export function settingField({ service, setting }: VocabularyEntry): string {
  return `env.${service}.${setting.name}`;
}

/** What a setting takes, with the releases told apart where they differ. */
export function settingTakes({ setting, releases }: VocabularyEntry): string {
  const texts = releases.map((release) => ({ version: release.version, text: setting.reading.takes(release) }));
  const [first] = texts;
  if (texts.every(({ text }) => text === first?.text)) return first?.text ?? "";
  return texts.map(({ version, text }) => `${text} under ${version}`).join("; ");
}

/** Every word that a setting takes under some release; empty where it takes other values than words. */
export function settingWords({ setting, releases }: VocabularyEntry): readonly string[] {
  return [...new Set(releases.flatMap((release) => setting.reading.words?.(release) ?? []))];
}
