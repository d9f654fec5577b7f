import { describe, expect, test } from "vitest";
import { applyChanges } from "../../src/config/edit.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { RULES } from "../../src/rules/all.generated.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { sourcesOf } from "../../src/workspace/load-deployment.ts";
import { deploymentFrom, deploymentOf } from "../support/fragment.ts";
import { CONTEXTS } from "./contexts.ts";

function found(deployment: Deployment, rule: string): Diagnostic[] {
  return runRules(deployment).filter((diagnostic) => diagnostic.rule === rule);
}

/** Facts about files or sizes, which no fragment can show; each has tests of its own. */
const WITHOUT_FRAGMENTS = new Set([
  "env-file/mode",
  "env-file/none",
  "env-file/unread",
  "layer/link",
  "layer/skill-file",
  "layer/size",
  "aws/task-size",
  "layer/unread",
  "skills/left-out-file",
  "skills/passed-over",
]);

describe.each(RULES.filter((rule) => !WITHOUT_FRAGMENTS.has(rule.id)))("$id", (rule) => {
  const context = CONTEXTS[rule.id] ?? {};
  const bad = deploymentOf(rule.bad, context);

  test("fires on its bad fragment", () => expect(found(bad, rule.id)).not.toEqual([]));
  test("is silent on its good fragment", () => expect(found(deploymentOf(rule.good, context), rule.id)).toEqual([]));

  test("points at the token that it names", () => {
    for (const { range, file, message } of found(bad, rule.id)) {
      if (range === null) continue;
      const text = sourcesOf(bad).get(file) ?? "";
      const slice = text.slice(range.start.offset, range.end.offset);
      expect(slice, message).not.toBe("");
      // A missing key of the document itself points at the opening brace.
      if (file === bad.document.file && slice !== "{")
        expect(() => JSON.parse(slice), `${message}: ${slice}`).not.toThrow();
    }
  });

  test("its fixes mend what they are offered for", () => {
    for (const { fix, message } of found(bad, rule.id)) {
      if (fix === null) continue;
      const edited = applyChanges(bad.document.text, fix.changes);
      if (!edited.ok) throw new Error(`${message}: ${edited.reason}`);
      const mended = deploymentFrom(edited.text, { release: "0.1.6", ...context });
      expect(found(mended, rule.id).map((each) => each.message)).not.toContain(message);
    }
  });
});
