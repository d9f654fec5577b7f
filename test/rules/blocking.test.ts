import { describe, expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { RuleId } from "../../src/diagnostics/rule-ids.generated.ts";
import { blockingDiagnostics, type Operation } from "../../src/rules/blocking.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentOf } from "../support/fragment.ts";

/** An error of each kind, and one in `.env` of a rule that is not about `.env`. */
const DEPLOYMENT = deploymentOf(
  JSON.stringify({
    orgId: "replace-me",
    env: { core: { HARNESS: "pi", BOXD_VCPU: "3" } },
    imageOverrides: { core: "https://x" },
  }),
  { env: "PUBLIC_API_URL=http://localhost\nCAPABILITY_SECRET=x\n" },
);

function diagnostic(rule: RuleId, more: Partial<Diagnostic> = {}): Diagnostic {
  const file = DEPLOYMENT.document.file;
  return {
    rule,
    clause: null,
    severity: "error",
    message: "m",
    help: "h",
    command: null,
    file,
    range: null,
    fix: null,
    ...more,
  };
}

const FOUND = [...runRules(DEPLOYMENT), diagnostic("internal/broken-rule"), diagnostic("internal/fault")];

function blocking(operation: Operation, found: readonly Diagnostic[] = FOUND, deployment: Deployment = DEPLOYMENT) {
  return blockingDiagnostics(operation, found, deployment).map(({ rule }) => rule);
}

const ALL: readonly Operation[] = ["render", "render --secrets", "sandbox build", "sandbox publish", "init", "edit"];

describe("what stops an operation", () => {
  test.each(ALL)("%s: an error of the config and a fault of the toolkit do, a warning does not", (operation) => {
    const rules = blocking(operation);
    expect(rules).toEqual(
      expect.arrayContaining(["settings/choice", "config/image-reference", "internal/broken-rule", "internal/fault"]),
    );
    expect(blocking(operation, [diagnostic("settings/choice", { severity: "warning" })])).toEqual([]);
  });

  test.each(ALL)("%s: secret values do only where they are written", (operation) => {
    const rules = blocking(operation);
    const isStopped = operation === "render --secrets";
    for (const rule of ["env-file/too-short", "env-file/missing-secret", "sandbox/api-url-unreachable"] as const)
      expect(rules.includes(rule), rule).toBe(isStopped);
  });

  test.each(ALL)("%s: a placeholder of the config does, but not in what init makes", (operation) =>
    expect(blocking(operation).includes("config/placeholder")).toBe(operation !== "init"),
  );

  test("a fault of the toolkit does even in `.env`", () => {
    for (const operation of ALL)
      expect(blocking(operation, [diagnostic("internal/broken-rule", { file: ".env" })])).toHaveLength(1);
  });

  test("publish replaces an image, so that the old one is no reason against it", () => {
    const deployment = deploymentOf(
      '{ "target": "fly", "sandbox": { "backend": "sprites", "app": "acme", "image": "r.dev/a:1" } }',
      { release: "0.1.6" },
    );
    const found = runRules(deployment);
    expect(blocking("sandbox build", found, deployment)).toContain("sandbox/unpinned-image");
    expect(blocking("sandbox publish", found, deployment)).toEqual([]);
  });
});
