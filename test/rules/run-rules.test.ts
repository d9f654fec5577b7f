import { describe, expect, test } from "vitest";
import type { RuleId } from "../../src/diagnostics/rule-ids.generated.ts";
import { MOST_OF_A_RULE, runRules } from "../../src/rules/run-rules.ts";
import { RULES } from "../../src/rules/all.generated.ts";
import type { Finding, Rule } from "../../src/rules/rule.ts";
import { redactText } from "../../src/base/redact.ts";
import { ruleRegistry } from "../../src/rules/registry.ts";
import { deploymentOf } from "../support/fragment.ts";

const INFO = { title: "t", severity: "warning", clause: "config.v1", why: "w", bad: "", good: "" } as const;

function rule(id: RuleId, check: Rule["check"]): Rule {
  return { ...INFO, id, check };
}

/** A rule that reports these. */
function finding(id: RuleId, ...findings: Finding[]): Rule {
  return rule(id, (_deployment, report) => findings.forEach(report));
}

const ONE = { message: "m", help: "h", place: { path: ["orgId"] } } as const;

describe("running the rules", () => {
  const deployment = deploymentOf("{}");

  test("adds what the rule says of itself, and the place", () => {
    const [found] = runRules(deployment, [finding("sandbox/scopes-not-read", ONE)]);
    expect(found).toMatchObject({
      rule: "sandbox/scopes-not-read",
      severity: "warning",
      clause: "config.v1",
      message: "m",
      help: "h",
      file: "qm.config.jsonc",
      fix: null,
    });
    expect(deployment.document.text.slice(found?.range?.start.offset, found?.range?.end.offset)).toBe('"orgId"');
  });

  test("points at a value, at the parent of what is missing, and into other files", () => {
    const slices = runRules(deployment, [
      finding("aws/region", { ...ONE, place: { path: ["orgId"], at: "value" } }),
      finding("fly/region", { ...ONE, place: { path: ["sandbox", "app"] } }),
      finding("layer/link", { ...ONE, place: { file: "sandbox/x", range: null } }),
    ]).map(({ rule: id, file, range }) => [
      id,
      file,
      range && deployment.document.text.slice(range.start.offset, range.end.offset),
    ]);
    expect(slices).toEqual([
      ["aws/region", "qm.config.jsonc", '"acme"'],
      ["fly/region", "qm.config.jsonc", '"sandbox"'],
      ["layer/link", "sandbox/x", null],
    ]);
  });

  test("a rule that throws costs no other finding, and shows no value", () => {
    const found = runRules(deployment, [
      rule("aws/region", (_deployment, report) => {
        report(ONE);
        throw new TypeError("cannot read hunter2");
      }),
      finding("fly/region", { ...ONE, severity: "info" }),
    ]);
    expect(found.map((each) => each.rule).sort()).toEqual(["aws/region", "fly/region", "internal/broken-rule"]);
    expect(JSON.stringify(found)).not.toContain("hunter2");
    expect(found.find((each) => each.rule === "internal/broken-rule")?.message).toContain("`aws/region`");
  });

  test("lists a hundred findings of a rule and counts the rest, with the severity of the worst", () => {
    const many = finding(
      "aws/region",
      ...Array.from(
        { length: MOST_OF_A_RULE + 2 },
        (_, at) => ({ ...ONE, message: `m${at}`, severity: at === MOST_OF_A_RULE ? "error" : "info" }) as const,
      ),
    );
    const found = runRules(deployment, [many, finding("fly/region", ONE)]);
    expect(found).toHaveLength(MOST_OF_A_RULE + 2);
    expect(found.filter(({ severity }) => severity === "error")).toEqual([
      {
        rule: "aws/region",
        clause: "config.v1",
        severity: "error",
        message: "2 more findings of this rule are not listed",
        help: "fix the listed ones first and run it again",
        command: null,
        file: "qm.config.jsonc",
        range: null,
        fix: null,
      },
    ]);
  });

  test("says the same on every run, whatever the order of the rules", () => {
    const bad = deploymentOf(
      '{ "target": "fly", "sandbox": { "backend": "boxd", "app": "x", "env": {} }, "env": { "core": { "BOXD_VCPU": "3", "A_TOKEN": "b" } } }',
    );
    expect(runRules(bad, [...RULES].reverse())).toEqual(runRules(bad));
  });
});

describe("what rules say", () => {
  const texts = RULES.flatMap((each) => runRules(deploymentOf(each.bad))).filter((found) =>
    RULES.some((each) => each.id === found.rule),
  );

  test("is one line that ends without a full stop, and a message does not begin like a sentence", () => {
    expect(texts.length).toBeGreaterThan(100);
    for (const { message, help } of texts) {
      for (const text of [message, help]) expect(text).toMatch(/^\S[^\n]*[^.\s]$/);
      expect(message).toMatch(/^[a-z`]/);
    }
  });

  test("is not taken for something secret by the net under all outputs", () => {
    const bads = [...ruleRegistry().values()].flatMap(({ bad }) => (bad === "" ? [] : runRules(deploymentOf(bad))));
    const sizes = runRules(deploymentOf('{ "basePort": 0.5 }')).filter((found) => found.rule === "config/wrong-type");
    for (const { message, help } of [...bads, ...sizes])
      for (const text of [message, help]) expect(redactText(text)).toBe(text);
  });
});
