import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { editConfig } from "../../src/workspace/edit-config.ts";
import { soundConfig } from "../cli/deployments.ts";
import { tempDirectory } from "./temp.ts";

const FAULT: Diagnostic = {
  rule: "internal/broken-rule",
  clause: null,
  severity: "error",
  message: "the rule `a/b` failed (TypeError), so what it would have found is missing",
  help: "please report it",
  command: null,
  file: "qm.config.jsonc",
  range: null,
  fix: null,
};

vi.mock("../../src/rules/run-rules.ts", () => ({ runRules: () => [FAULT] }));

test("a fault of the toolkit stops an edit, though it was there before; --force writes all the same", async () => {
  const cwd = tempDirectory({ "qm.config.jsonc": soundConfig() });
  const change = { kind: "set", path: ["orgId"], value: "globex" } as const;
  const text = (): string => readFileSync(join(cwd, "qm.config.jsonc"), "utf8");
  const refused = await editConfig(change, { cwd, path: ".", force: false });
  expect(refused).toMatchObject({ kind: "worse", added: [{ rule: "internal/broken-rule" }] });
  expect(text()).toContain('"acme"');
  expect(await editConfig(change, { cwd, path: ".", force: true })).toMatchObject({ kind: "written" });
  expect(text()).toContain('"globex"');
});
