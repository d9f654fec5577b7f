import { expect, test, vi } from "vitest";
import type { JsonValue } from "../../src/base/json.ts";
import { parseDocument } from "../../src/config/parse.ts";
import { loadConfig } from "../../src/config/load.ts";
import { resolveDeployment } from "../../src/deployment/resolve.ts";
import { applyFixes } from "../../src/rules/apply-fixes.ts";

vi.mock("../../src/config/parse.ts", async (original) => {
  const real = await original<{ parseDocument: typeof parseDocument }>();
  return { ...real, parseDocument: vi.fn(real.parseDocument) };
});

type Fields = { readonly [name: string]: JsonValue };

const SOUND: Fields = {
  contract: 1,
  orgId: "acme",
  publicUrl: "https://qm.acme.dev",
  target: "docker",
  services: ["core", "web-ui"],
  imageOverrides: { core: "ghcr.io/acme/core:1", "web-ui": "ghcr.io/acme/web:1" },
  env: { core: { HARNESS: "pi" } },
  modelProvider: "anthropic",
  sandbox: { backend: "boxd" },
};

function fix(config: Fields | string, which: "safe" | "all" = "all") {
  const text = typeof config === "string" ? config : JSON.stringify(config, null, 2);
  const source = { file: "qm.config.jsonc", text };
  const inputs = {
    config: source,
    envFile: null,
    flags: { release: "0.1.12", target: null },
    directory: null,
    packageFiles: [],
    sandboxTree: [],
    pluginsTree: [],
    skillsPaths: [],
  };
  const before = resolveDeployment(inputs, loadConfig(source));
  vi.mocked(parseDocument).mockClear();
  const { deployment, diagnostics, applied } = applyFixes(before, which);
  const parses = vi.mocked(parseDocument).mock.calls.length;
  return { value: deployment.document.value([]) as Fields, diagnostics, applied, parses, deployment };
}

function times<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

const plugin = (at: number, more: Fields = {}): Fields => ({ name: `p-${at}`, image: "ghcr.io/acme/p:1", ...more });

/** Faults of one kind, any number of them, and what is left of the config once they are fixed. */
const MANY: { readonly [what: string]: (count: number) => readonly [config: Fields, fixed: Fields] } = {
  "items of a list, to be removed": (count) => [
    { ...SOUND, services: ["core", "web-ui", ...times(count, () => "core")] },
    SOUND,
  ],
  "keys, to be moved into one object": (count) => {
    const settings = Object.fromEntries(times(count, (at) => [`BOXD_A${at}`, "a"]));
    return [
      { ...SOUND, ...settings },
      { ...SOUND, env: { core: { HARNESS: "pi", ...settings } } },
    ];
  },
  "values, to be written otherwise": (count) => [
    { ...SOUND, plugins: times(count, (at) => plugin(at, { coreAccess: "true" })) },
    { ...SOUND, plugins: times(count, (at) => plugin(at, { coreAccess: true })) },
  ],
  "keys, to be renamed": (count) => [
    { ...SOUND, plugins: times(count, (at) => plugin(at, { core_access: true })) },
    { ...SOUND, plugins: times(count, (at) => plugin(at, { coreAccess: true })) },
  ],
  "all of these": (count) => {
    const settings = Object.fromEntries(times(count, (at) => [`BOXD_A${at}`, "a"]));
    const plugins = times(count, (at) => plugin(at, { core_access: "true" }));
    const fixed = times(count, (at) => plugin(at, { coreAccess: true }));
    return [
      { ...SOUND, ...settings, services: ["core", ...times(count, () => "web-ui")], plugins },
      { ...SOUND, env: { core: { HARNESS: "pi", ...settings } }, plugins: fixed },
    ];
  },
};

test.each(Object.entries(MANY))("%s: no more edits for many than for few", (_, make) => {
  const [few, many] = [150, 600].map((count) => {
    const [config, fixed] = make(count);
    const result = fix(config);
    expect(result.value).toEqual(fixed);
    expect(result.applied.length).toBeGreaterThanOrEqual(count - 1);
    return result;
  });
  expect(many?.parses).toBe(few?.parses);
});

test("fixes that depend on one another are applied in turn", () => {
  const env = { core: { HARNESS: "pi" }, "web-ui": { BOXD_VCPU: "4" } };
  const { value, applied } = fix({ ...SOUND, env, BOXD_VCPU: "2", sandbox: { backnd: "boxd", bakend: "boxd" } });
  expect(applied).toHaveLength(new Set(applied).size);
  expect(value["env"]).toMatchObject({ core: { BOXD_VCPU: "2" } });
  expect(value["sandbox"]).toMatchObject({ backend: "boxd" });
});

test("a fix that the editor refuses keeps no other from being applied, and stays a finding", () => {
  const text = JSON.stringify({ ...SOUND, BOXD_ORG: "acme", services: ["core", "web-ui", "core"] });
  const { applied, diagnostics, value } = fix(text.replace('"BOXD_ORG"', '"BOXD_ORG":"a","BOXD_ORG"'));
  expect(applied).toEqual(["remove `services[2]`"]);
  expect(value["services"]).toEqual(["core", "web-ui"]);
  expect(diagnostics.filter(({ fix: left }) => left?.title.includes("BOXD_ORG"))).toHaveLength(1);
});

test("nothing is touched in a file with syntax errors", () => {
  const text = `${JSON.stringify({ ...SOUND, services: ["core", "core"] }).slice(0, -1)}, "a" 1}`;
  const { deployment, applied } = fix(text);
  expect(applied).toEqual([]);
  expect(deployment.inputs.config.text).toBe(text);
});
