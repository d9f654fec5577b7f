import { expect, test } from "vitest";
import { FLY_TEMPLATES } from "../../src/catalog/fly-templates.generated.ts";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentOf } from "../support/fragment.ts";

function sizes(vms: unknown, release: string): string[] {
  return runRules(deploymentOf(JSON.stringify({ target: "fly", vms }), { release }))
    .filter(({ rule }) => rule === "fly/vm-size")
    .map(({ message }) => message);
}

test.each(RELEASES.map(({ version }) => version))(
  "memory alone is judged with the size of the template of %s",
  (release) => {
    const size = FLY_TEMPLATES[release]?.["web-ui"]?.vm[0]?.size;
    expect(size).toBe("shared-cpu-1x");
    expect(sizes({ "web-ui": { memory: "2gb" } }, release)).toEqual([]);
    expect(sizes({ "web-ui": { memory: "4gb" } }, release)).toEqual([
      "`vms.web-ui.memory` is 4096 MB, which a `shared-cpu-1x` cannot have",
    ]);
    expect(sizes({ "web-ui": { memory: "4gb", size: "performance-1x" } }, release)).toEqual([]);
  },
);

test("a size alone is judged with the memory of the template", () => {
  expect(FLY_TEMPLATES["0.1.12"]?.["web-ui"]?.vm[0]?.memory).toBe("2gb");
  expect(sizes({ "web-ui": { size: "performance-1x" } }, "0.1.12")).toEqual([]);
  expect(sizes({ "web-ui": { size: "performance-2x" } }, "0.1.12")).toHaveLength(1);
  expect(sizes({ "web-ui": { size: "performance-2x", memory: "banana" } }, "0.1.12")).toEqual([]);
  expect(sizes({ "web-ui": { size: 7, memory: "64gb" } }, "0.1.12")).toEqual([]);
});

test("a size that is not known is not held against its memory", () => {
  expect(sizes({ core: { size: "a100-40gb", memory: "64gb" } }, "0.1.12")).toHaveLength(1);
});
