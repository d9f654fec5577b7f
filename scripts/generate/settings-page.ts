import { settingTakes, vocabulary, type VocabularyEntry } from "../../src/catalog/vocabulary.ts";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { SERVICE_NAMES } from "../../src/config/written-config.ts";

function row(entry: VocabularyEntry): string {
  const { setting, backend, releases } = entry;
  const { name, description, default: standard, setBy, when, reading, required } = setting;
  const only =
    releases.length === RELEASES.length ? null : `qm ${releases.map(({ version }) => version).join(", ")} alone`;
  const about = [
    ...(backend === null ? [] : [`sandbox backend \`${backend}\``]),
    ...(required === true ? ["required"] : []),
    ...(only === null ? [] : [only]),
    ...(when === undefined ? [] : [`read while \`${when.name}\` is \`${when.is}\``]),
    ...(setBy === undefined ? [] : [`set by ${setBy}`]),
  ];
  const blank = reading.blank === null ? "" : `; blank: ${reading.blank}`;
  const cells = [
    `\`${name}\``,
    `${description}${about.length === 0 ? "" : ` (${about.join("; ")})`}`,
    settingTakes(entry),
    standard === undefined ? "" : `\`${standard}\``,
    `${reading.otherwise ?? ""}${blank}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The page `docs/settings.md`: every environment name that qm's services read. */
export function settingsPage(): string {
  const entries = vocabulary();
  const lines = [
    "<!-- Generated from src/catalog/settings/ and src/catalog/backends/ by `npm run generate`; do not edit. -->",
    "# Settings",
    "",
    "Every environment variable that qm's services read. Set them in `env.<service>` of qm.config.jsonc, where you may also set variables of your",
    "own. Secrets are not here: `qm-deploy secrets` lists them. `qm-deploy explain <name>` shows one of these entries with its value in your",
    "deployment, and the rules `settings/…` of [rules.md](rules.md) check the values. A blank value counts as unset where nothing else is said.",
    "",
    ...SERVICE_NAMES.flatMap((service) => [
      `## ${service}`,
      "",
      "| name | what it is for | takes | default | any other value |",
      "|---|---|---|---|---|",
      ...entries.filter((entry) => entry.service === service).map(row),
      "",
    ]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}
