import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withConfigText } from "../../src/deployment/resolve.ts";
import { applyFixes } from "../../src/rules/apply-fixes.ts";
import { blockingDiagnostics } from "../../src/rules/blocking.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { planUpgrade, type UpgradePlan } from "../../src/views/upgrade/plan.ts";
import { upgradeView } from "../../src/views/upgrade/upgrade.ts";
import { deployments } from "../render/random-deployments.ts";
import { deploymentFrom, type FragmentContext } from "../support/fragment.ts";
import { runs } from "../support/runs.ts";

const PACKAGE = '{\n  "private": true\n}\n';

function plan(text: string, context: FragmentContext, version: string): UpgradePlan {
  const made = planUpgrade(deploymentFrom(text, context), {
    ...{ version, place: "own", newPackage: PACKAGE },
    publishedImages: false,
  });
  if ("refused" in made) throw new Error(made.refused);
  return made;
}

const SECRET = "hV8kQz2LpX9wRt4Yn7Bm3Jc6Df1Gs5Ae";

describe("a plan of random deployments, up and down", () => {
  test("is of the pinned release, adds no error that the pin alone would not, and does all at once", () => {
    fc.assert(
      fc.property(deployments, fc.constantFrom("0.1.6", "0.1.12"), ({ text, context }, version) => {
        const { before, after, pin, remaining } = plan(text, context, version);
        expect([after.release.resolved, after.release.source]).toEqual([version, "package.json"]);
        expect(JSON.parse(pin.after)).toEqual({ private: true, devDependencies: { "@yc-software/qm": version } });
        const alone = withConfigText(after, before.inputs.config.text);
        const errors = blockingDiagnostics("render", runRules(alone), alone).length;
        expect(blockingDiagnostics("render", remaining, after).length).toBeLessThanOrEqual(errors);
        const found = new Set(runRules(before).map(({ rule, message }) => `${rule} ${message}`));
        const isNew = ({ rule, message }: { rule: string; message: string }) => !found.has(`${rule} ${message}`);
        expect(applyFixes(after, "all", true, isNew).applied).toEqual([]);
      }),
      { numRuns: runs(40, 1_000) },
    );
  });

  test("of one that is on the release already changes nothing but a pin that is missing", () => {
    fc.assert(
      fc.property(deployments, ({ text, context }) => {
        const { before, after, appear, go, applied } = plan(text, context, context.release);
        expect(after.inputs.config.text).toBe(before.inputs.config.text);
        expect([appear, go, applied]).toEqual([[], [], []]);
      }),
      { numRuns: runs(20, 500) },
    );
  });
});

test("no view of a plan shows what `.env` holds", () => {
  const config = {
    ...{ contract: 1, orgId: "acme", publicUrl: "https://qm.acme.dev", target: "docker", services: ["core"] },
    env: { core: { HARNESS: "pi", NOTE: SECRET, SANDBOX_SCOPE_BACKENDS: SECRET } },
    sandbox: { backend: "boxd" },
  };
  const made = plan(JSON.stringify(config), { release: "0.1.12", env: `BOXD_API_KEY=${SECRET}\n` }, "0.1.6");
  const text = JSON.stringify(upgradeView(made));
  expect(text).not.toContain(SECRET);
  expect(text).toContain("[hidden]");
});
