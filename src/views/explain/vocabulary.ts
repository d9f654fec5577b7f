import { ours } from "../../base/shown.ts";
import type { Release } from "../../catalog/releases/release.ts";
import { REFUSED } from "../../catalog/settings/unfit.ts";
import { settingField, settingTakes, settingWords, vocabulary } from "../../catalog/vocabulary.ts";
import { RELEASES } from "../../catalog/releases/index.ts";

/** The settings that a text means: `HARNESS` or `env.core.HARNESS`; `core.HARNESS` is the rendered name. */
export function explainName(thing: string) {
  return vocabulary()
    .filter((entry) => thing === entry.setting.name || thing === settingField(entry))
    .map((entry) => {
      const { setting, service, backend, releases } = entry;
      const words = settingWords(entry);
      const { reading, when } = setting;
      return {
        kind: "name" as const,
        name: setting.name,
        field: settingField(entry),
        service,
        // Null where it is no setting of a sandbox backend.
        backend,
        description: ours(setting.description),
        takes: ours(settingTakes(entry)),
        words: words.length === 0 ? null : words.map(ours),
        default: setting.default === undefined ? null : ours(setting.default),
        // What a blank value means; null where it is the same as none.
        blank: reading.blank === null ? null : ours(reading.blank),
        // What another value does; null where every text is taken.
        otherwise: reading.otherwise === null ? null : ours(asKnown(reading.otherwise, releases)),
        setBy: setting.setBy === undefined ? null : ours(setting.setBy),
        when: when === undefined ? null : ours(`\`${when.name}\` is \`${when.is}\``),
        releases: releases.map(({ version }) => version),
      };
    });
}

/** What is known of some releases, and only likely of others. */
function asKnown(otherwise: string, releases: readonly Release[]): string {
  const likely = releases.filter(({ runtimeKnown }) => !runtimeKnown).map(({ version }) => version);
  return otherwise.includes(REFUSED) && likely.length > 0
    ? `${otherwise} (only likely of ${likely.join(", ")})`
    : otherwise;
}

/** The releases of a name as a phrase; null where all known ones read it. */
export function onlyReleases(releases: readonly string[]): string | null {
  return releases.length === RELEASES.length ? null : `qm ${releases.join(", ")} alone`;
}
