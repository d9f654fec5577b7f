import type { RuleInfo } from "../../src/diagnostics/rule-info.ts";
import { suppressibility } from "../../src/rules/suppression/suppressible.ts";

/** What the families are about, in the order of the page. A family that is not here stands at the end under its name. */
const FAMILIES: readonly (readonly [family: string, about: string])[] = [
  ["input", "Files that cannot be used at all. They end a run with status 2."],
  ["syntax", "The text of `qm.config.jsonc`: JSON with comments and trailing commas."],
  ["config", "The shape of the config, and values that are still to be filled in."],
  ["release", "Which release of qm interprets the directory."],
  ["sandbox", "Where agents run, and what reaches them there."],
  ["boxd", "What is special to boxd."],
  ["secrets", "Secrets in the wrong place, and where `secretEnv` sends them."],
  ["env-file", "The `.env` beside the config, and the values in it."],
  ["services", "Services and their environment."],
  ["core", "Core, its stores and what it demands."],
  ["slack", "The Slack part of core."],
  ["portal", "The portal, and whom it trusts to sign people in."],
  ["model", "Model provider and harness."],
  ["docker", "What only docker deployments have."],
  ["fly", "What only fly deployments have."],
  ["aws", "What only aws deployments have."],
  ["plugins", "Parts that the deployer brings along."],
  ["layer", "Tools and skills in `sandbox/`."],
  ["skills", "Directories of skills."],
  ["suppression", "Comments and entries that leave findings out ([suppressions.md](suppressions.md))."],
  ["internal", "Faults of qm-deploy itself. They end a run with status 70."],
];

function familyOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

function fragment(title: string, text: string): string[] {
  if (text === "") return [];
  const language = /^\s*(?:\/\/|\{|\/\*)/.test(text) ? "jsonc" : "sh";
  // JSON escapes keep a control character of an example visible.
  // oxlint-disable-next-line no-control-regex
  const shown = text.replace(/[\0-\x08\x0b-\x1f\x7f]/g, (unit) => JSON.stringify(unit).slice(1, -1)).trimEnd();
  return [`${title}:`, "", `\`\`\`${language}`, shown, "```", ""];
}

function section(rule: RuleInfo): string[] {
  const clause = rule.clause === undefined ? "" : ` · contract clause \`${rule.clause}\``;
  return [
    `<a id="${rule.id}"></a>`,
    "",
    `### ${rule.id}`,
    "",
    `${rule.title} · ${rule.severity}${clause} · can be suppressed: ${suppressibility(rule).text}`,
    "",
    rule.why,
    "",
    ...fragment("Fires on", rule.bad),
    ...fragment("Passes", rule.good),
  ];
}

/** The page `docs/rules.md`: every rule with reason and examples, by family and id. */
export function rulesPage(rules: readonly RuleInfo[]): string {
  const sorted = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1));
  const known = new Set(FAMILIES.map(([family]) => family));
  const others = [...new Set(sorted.map((rule) => familyOf(rule.id)))].filter((family) => !known.has(family));
  const lines = [
    "<!-- Generated from the rules by `npm run generate`; do not edit. -->",
    "# Rules",
    "",
    "What `qm-deploy check` reports. `qm-deploy explain <rule>` prints the same. Errors fail a run, warnings fail it under `--strict`, infos never do.",
    "A finding may have another severity than its rule usually has, where the text says so. Examples show only the part of a config that matters.",
    "",
  ];
  for (const [family, about] of [...FAMILIES, ...others.map((name) => [name, ""] as const)]) {
    const own = sorted.filter((rule) => familyOf(rule.id) === family);
    if (own.length === 0) continue;
    lines.push(`## ${family}`, "", ...(about === "" ? [] : [about, ""]));
    lines.push(
      "| rule | severity | what |",
      "|---|---|---|",
      ...own.map((rule) => `| [${rule.id}](#${rule.id}) | ${rule.severity} | ${rule.title} |`),
      "",
    );
    for (const rule of own) lines.push(...section(rule));
  }
  return `${lines.join("\n").trimEnd()}\n`;
}
