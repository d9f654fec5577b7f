import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rulesPage } from "../../scripts/generate/rules-page.ts";
import { INTERNAL_RULES } from "../../src/cli/internal-error.ts";
import type { RuleInfo } from "../../src/diagnostics/rule-info.ts";
import { ruleRegistry } from "../../src/views/rule-registry.ts";
import { INPUT_RULES } from "../../src/workspace/input-problem.ts";

const PAGE = join(import.meta.dirname, "../../docs/rules.md");

/** Everything that any command may report. */
function allRules(): RuleInfo[] {
  return [
    ...new Map([...ruleRegistry().values(), ...INPUT_RULES, ...INTERNAL_RULES].map((rule) => [rule.id, rule])).values(),
  ];
}

describe("docs/rules.md", () => {
  test("is what the rules say of themselves", () => {
    const page = rulesPage(allRules());
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(PAGE, page);
    expect(
      existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "",
      "run UPDATE_DOCS=1 npx vitest run test/rules/docs.test.ts",
    ).toBe(page);
  });
});

describe("registry", () => {
  test.each(allRules())("$id is complete and well written", ({ id, title, severity, why }) => {
    expect(id).toMatch(/^[a-z][a-z-]*\/[a-z][a-z0-9-]*$/);
    expect(["error", "warning", "info"]).toContain(severity);
    expect(title).toMatch(/^\S.*[^.\s]$/);
    expect(why).toMatch(/^\S.*\.$/);
  });

  test("no id stands for two rules", () => {
    const ids = [...ruleRegistry().keys()];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
