import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { RuleId } from "../../src/diagnostics/rule-ids.generated.ts";
import { ALL_RULES, findRule } from "../../src/rules/registry.ts";

describe("registry", () => {
  test.each(ALL_RULES)("$id is complete and well written", ({ id, title, severity, why }) => {
    expect(id).toMatch(/^[a-z][a-z-]*\/[a-z][a-z0-9-]*$/);
    expect(["error", "warning", "info"]).toContain(severity);
    expect(title).toMatch(/^\S.*[^.\s]$/);
    expect(why).toMatch(/^\S.*\.$/);
  });

  test("no id stands for two rules", () => {
    const ids = ALL_RULES.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test.each([
    ["env-file", "secret-values"],
    ["input", "input"],
    ["render", "rendering"],
    ["internal", "toolkit"],
  ])("every rule of the family %s concerns %s, and no other does", (family, concern) => {
    const isOf = ({ id }: { readonly id: string }): boolean => id.startsWith(`${family}/`);
    expect(ALL_RULES.filter(isOf).length).toBeGreaterThan(1);
    expect(ALL_RULES.filter(({ concerns }) => concerns === concern)).toEqual(ALL_RULES.filter(isOf));
  });

  test("finds a rule by its id, and nothing by another text", () => {
    expect(findRule("sandbox/no-backend")?.title).toBe("No sandbox backend");
    for (const text of ["sandbox/no-backends", "sandbox", "", "__proto__", "constructor"])
      expect(findRule(text)).toBeUndefined();
  });
});

/** Holds at compile time: `npm run typecheck` fails when one of the marked lines compiles. */
test("a wrong rule id does not compile", () => {
  // @ts-expect-error a misspelt name
  const misspelt: RuleId = "sandbox/no-backends";
  // @ts-expect-error a family without a name
  const family: Diagnostic["rule"] = "sandbox";
  const isWrong = (diagnostic: Diagnostic): boolean =>
    // @ts-expect-error an id that there is not
    diagnostic.rule === "env-file/missing";
  expect([misspelt, family, isWrong].length).toBe(3);
});
