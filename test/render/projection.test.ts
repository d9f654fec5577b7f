import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { renderProjection } from "../../src/render/projection.ts";
import { refusalOfQmAt } from "../support/qm-check.ts";
import { example, renderWith } from "./support.ts";

function projection(name: string, change: Parameters<typeof example>[1] = {}): string | null {
  return renderWith(renderProjection, example(name, change)).artifacts[0]?.text ?? null;
}

/** qm's own verdict on a projection text. */
async function refusal(text: string): Promise<string | null> {
  const directory = mkdtempSync(join(tmpdir(), "qm-projection-"));
  writeFileSync(join(directory, "qm.config.jsonc"), text);
  return refusalOfQmAt(directory);
}

describe.each(["docker-boxd", "fly-boxd", "aws-boxd"])("%s", (name) => {
  test.each(["0.1.6", "0.1.12"])(
    "under %s qm 0.1.12 accepts the projection, and refuses the config itself",
    async (release) => {
      const text = projection(name, { release });
      expect(text).not.toBeNull();
      expect(await refusal(text ?? "")).toBeNull();
      expect(await refusal(example(name).document.text)).toMatch(/\$schema|boxd/);
    },
  );

  test("tells qm's core the same: the backend by environment, its key by secretEnv", () => {
    const { config } = loadConfig({ file: "qm.config.jsonc", text: projection(name) ?? "" });
    expect(config.env?.core?.["SANDBOX_BACKEND"]).toBe("boxd");
    expect(config.secretEnv?.core?.["BOXD_API_KEY"]).toBe("BOXD_API_KEY");
    expect(config.env?.core?.["HARNESS"]).toBe("pi");
    expect(config.sandbox?.backend).toBeUndefined();
  });
});

test("0.1.6 gets the sandbox app that it demands, 0.1.12 none", () => {
  const app = (release: string) =>
    loadConfig({ file: "x", text: projection("docker-boxd", { release }) ?? "" }).config.sandbox?.app;
  expect(app("0.1.6")).toBe("acme-unused");
  expect(app("0.1.12")).toBeUndefined();
});

test("there is none where qm takes the config as it is", () => {
  expect(projection("docker-local", { config: (text) => text.replace(/"\$schema".*\n/, "") })).toBeNull();
});

test("$schema alone is reason enough, and nested comment keys are dropped", async () => {
  const text = projection("docker-local", {
    config: (written) => written.replace('"HARNESS": "pi"', '"HARNESS": "pi", "//": "why pi"'),
  });
  expect(text).not.toContain("$schema");
  expect(text).not.toContain('"//"');
  expect(await refusal(text ?? "")).toBeNull();
});

test("skills directories are found from where the projection lies", async () => {
  const text = projection("docker-boxd", {
    config: (written) => written.replace('"target"', '"skills": ["sandbox/skills"], "target"'),
  });
  const { config } = loadConfig({ file: "x", text: text ?? "" });
  const directory = mkdtempSync(join(tmpdir(), "qm-projection-"));
  mkdirSync(join(directory, "sandbox/skills"), { recursive: true });
  mkdirSync(join(directory, "rendered/docker/qm"), { recursive: true });
  writeFileSync(join(directory, "rendered/docker/qm/qm.config.jsonc"), text ?? "");
  expect(config.skills).toEqual(["../../../sandbox/skills"]);
  expect(await refusalOfQmAt(join(directory, "rendered/docker/qm"))).toBeNull();
});
