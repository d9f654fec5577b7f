import { describe, expect, test } from "vitest";
import { RULES } from "../../src/rules/all.generated.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentOf, kindOf } from "../support/fragment.ts";
import { refusalOfQm } from "../support/qm-check.ts";
import { CONTEXTS } from "./contexts.ts";
import { QM_ALONE_REFUSES, STRICTER_THAN_QM } from "./peer-differences.ts";

const FRAGMENTS = RULES.flatMap((rule) =>
  (["bad", "good"] as const).map((kind) => ({ name: `${rule.id} ${kind}`, rule, text: rule[kind] })),
).filter(({ text }) => ["config", "files"].includes(kindOf(text)));

const usedStricter = new Set<string>();
const usedAlone = new Set<string>();

describe("qm 0.1.12's own check agrees on what is an error, or the difference has a reason", () => {
  test.each(FRAGMENTS)("$name", async ({ name, rule, text }) => {
    const deployment = deploymentOf(text, { ...CONTEXTS[rule.id], release: "0.1.12" });
    const errors = [
      ...new Set(
        runRules(deployment)
          // qm's check does not look into `.env`.
          .filter((found) => found.severity === "error" && !found.rule.startsWith("env-file/"))
          .map((found) => found.rule),
      ),
    ];
    const refusal = await refusalOfQm(deployment);
    if (refusal === null) {
      for (const id of errors) usedStricter.add(id);
      expect(errors.filter((id) => !Object.hasOwn(STRICTER_THAN_QM, id))).toEqual([]);
    } else if (errors.length === 0) {
      usedAlone.add(name);
      expect(Object.hasOwn(QM_ALONE_REFUSES, name), refusal).toBe(true);
    }
  });

  test("no difference is listed that is none any more", () => {
    expect(Object.keys(STRICTER_THAN_QM).filter((id) => !usedStricter.has(id))).toEqual([]);
    expect(Object.keys(QM_ALONE_REFUSES).filter((name) => !usedAlone.has(name))).toEqual([]);
  });
});
