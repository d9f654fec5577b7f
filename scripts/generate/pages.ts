import { ruleRegistry } from "../../src/rules/registry.ts";
import { backendsPage } from "./backends-page.ts";
import { catalogNamesSource } from "./catalog-names.ts";
import { commandsPage } from "./commands-page.ts";
import type { GeneratedFile } from "./lists.ts";
import { ruleIdsSource } from "./rule-ids.ts";
import { rulesPage } from "./rules-page.ts";
import { generateSchema } from "./schema.ts";
import { settingsPage } from "./settings-page.ts";

/** The files for people, editors and the compiler that follow from what the sources say of themselves. */
export function generatePages(): GeneratedFile[] {
  const rules = [...ruleRegistry().values()];
  return [
    { path: "schema/qm.config.schema.json", text: `${JSON.stringify(generateSchema(), null, 2)}\n` },
    { path: "docs/commands.md", text: commandsPage() },
    { path: "docs/rules.md", text: rulesPage(rules) },
    { path: "docs/backends.md", text: backendsPage() },
    { path: "docs/settings.md", text: settingsPage() },
    { path: "src/cli/catalog-names.generated.ts", text: catalogNamesSource() },
    { path: "src/diagnostics/rule-ids.generated.ts", text: ruleIdsSource(rules.map(({ id }) => id)) },
  ];
}
