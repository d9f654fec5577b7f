import { describe, expect, test } from "vitest";
import { linksFor } from "../../src/action/links.ts";
import { summaryText } from "../../src/action/summary.ts";
import { type DeploymentView, runView } from "../../src/diagnostics/view.ts";

function fleet(count: number, ok: boolean): DeploymentView[] {
  const release = { pinned: null, resolved: "0.1.12", source: "default" } as const;
  const sandbox = { declared: "boxd", backend: "boxd", selected: ["boxd"] };
  return Array.from({ length: count }, (_, at) => ({
    config: `deployments/${ok ? "sound" : "faulty"}-${at}-${"x".repeat(60)}/qm.config.jsonc`,
    ...{ target: "fly", release, sandbox, ok, secrets: [], diagnostics: [] },
  }));
}

describe("the summary of a giant fleet", () => {
  test.each([
    ["failed", 12_000, 0],
    ["passed", 0, 12_000],
    ["did either", 6_000, 6_000],
  ])("that %s shows some verdicts, says how many there are, and is cut nowhere", (_, failed, passed) => {
    const run = runView([...fleet(passed, true), ...fleet(failed, false)], 0);
    const { text } = summaryText(
      { run, drift: null, changes: null, pictures: new Map() },
      linksFor({}, (name) => name),
    );
    expect(text).toContain(`in 12000 deployments.`);
    const rows = text.match(/^\| (?:✅ passed|❌ failed) \|/gmu) ?? [];
    expect(rows).toHaveLength(failed > 0 && passed > 0 ? 1000 : 500);
    const hidden = [failed, passed].filter((count) => count > 0).map((count) => `${count - 500} more: run`);
    for (const says of hidden) expect(text).toContain(says);
    expect(text).not.toContain("There is more than a summary holds");
  });
});
