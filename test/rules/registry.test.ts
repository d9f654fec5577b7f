import { describe, expect, test } from "vitest";
import { allRules } from "../../scripts/generate/pages.ts";
import { ruleRegistry } from "../../src/views/rule-registry.ts";

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
