import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyScaffold } from "../../src/scaffold/apply.ts";
import { refusalOfQmAt } from "../support/qm-check.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { COMBINATIONS, VARIANTS } from "./matrix.ts";
import { planIn } from "./plan-of.ts";

const NEW = [...COMBINATIONS, ...VARIANTS].filter(([, { release }]) => release.version === "0.1.12");

describe("qm 0.1.12 itself accepts the fresh deployment", () => {
  test.each(NEW)("%s", async (_name, answers) => {
    const directory = tempDirectory();
    const plan = planIn(directory, answers);
    await applyScaffold(plan, directory);
    const isKnown = answers.release.backendPolicy[answers.target].includes(answers.backend.name);
    if (!isKnown) {
      expect(await refusalOfQmAt(directory)).toContain("sandbox.backend");
      // What AGENTS.md names for qm's own commands.
      const projection = `rendered/${answers.target}/qm/qm.config.jsonc`;
      expect(readFileSync(join(directory, "AGENTS.md"), "utf8")).toContain(projection);
      cpSync(join(directory, projection), join(directory, "qm.config.jsonc"));
    }
    expect(await refusalOfQmAt(directory)).toBeNull();
  });
});
