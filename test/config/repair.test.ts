import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../../src/config/parse.ts";
import { repairSyntax } from "../../src/config/repair.ts";
import { applyFixes } from "../../src/rules/apply-fixes.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentFrom } from "../support/fragment.ts";
import { runs } from "../support/runs.ts";
import { soundConfigs } from "./arbitrary-config.ts";

/** What another dialect writes, as JSONC; the same text where nothing is certain. */
const REPAIRED: readonly (readonly [text: string, repaired: string])[] = [
  ["{a: 1, b-c: {d: 2}}", '{"a": 1, "b-c": {"d": 2}}'],
  ["{'a': 'it\\'s', “b”: `x \"y\"`}", '{"a": "it\'s", "b": "x \\"y\\""}'],
  ['{"a": 1 // one\n "b": [1 2]}', '{"a": 1, // one\n "b": [1, 2]}'],
  ['{ # notes\n"a":\u00a01}', '{ // notes\n"a": 1}'],
  ["\ufeff{a: 1\r\nb: 2}\r\n", '\ufeff{"a": 1,\r\n"b": 2}\r\n'],
  ['{a: 1, "b": "x\n}', '{"a": 1, "b": "x\n}'],
  ['{"a": b c, d: 1}', '{"a": b c, "d": 1}'],
  ['{"a": 1}', '{"a": 1}'],
  ["", ""],
];

describe("repairing syntax", () => {
  test.each(REPAIRED)("%j", (text, repaired) => {
    expect(repairSyntax(text).text).toBe(repaired);
    expect(repairSyntax(repaired)).toEqual({ text: repaired, titles: [] });
  });

  test("20,000 keys without quotes and as many missing commas are one round each", () => {
    const members = Array.from({ length: 20_000 }, (_, at) => `k${at}: ${at}`);
    const { text, titles } = repairSyntax(`{\n${members.join("\n")}\n}`);
    expect(Object.keys(JSON.parse(text) as object)).toHaveLength(20_000);
    expect(titles.length).toBeLessThan(300);
  });

  test("of any config in JSON5's keys and without commas gives the config", () => {
    fc.assert(
      fc.property(soundConfigs, (config) => {
        const strict = JSON.stringify(config, null, 2);
        const loose = strict.replace(/^( *)"([A-Za-z][\w-]*)":/gm, "$1$2:").replace(/,$/gm, "");
        const { text } = repairSyntax(loose);
        expect(parseDocument({ file: "f", text }).diagnostics.map(({ rule }) => rule)).toEqual([]);
        expect(JSON.parse(JSON.stringify(parseDocument({ file: "f", text }).value([])))).toEqual(
          JSON.parse(JSON.stringify(parseDocument({ file: "f", text: strict }).value([]))),
        );
      }),
      { numRuns: runs(40, 400) },
    );
  });
});

const FIXABLE = `contract: 1, "orgId": "acme", "publicUrl": "https://qm.acme.dev", "target": "docker", "services": ["core", "web-ui"], "modelProvidr": "anthropic", "sandbox": { "backend": "boxd", "app": "acme" }`;

describe("fixes of a text that does not parse", () => {
  test("are made once its syntax is repaired, in one run", () => {
    const deployment = deploymentFrom(`{ ${FIXABLE} }`, { release: "0.1.12" });
    expect(runRules(deployment).filter(({ fix }) => fix !== null).length).toBeGreaterThan(2);
    const { applied, deployment: fixed } = applyFixes(deployment, "all");
    expect(applied).toEqual(
      expect.arrayContaining([
        "put the key in double quotes",
        "remove `sandbox.app`",
        "rename `modelProvidr` to `modelProvider`",
      ]),
    );
    expect(fixed.document.text).toContain('{ "contract": 1, "orgId"');
    expect(runRules(fixed).filter(({ fix }) => fix !== null)).toEqual([]);
  });

  test("are not promised where something is left that nobody can guess, which says so once", () => {
    const deployment = deploymentFrom(`{ ${FIXABLE}, "botName": "Acme }`, { release: "0.1.12" });
    const found = runRules(deployment);
    expect(found.filter(({ fix }) => fix !== null).map(({ rule }) => rule)).toEqual(["syntax/unquoted-key"]);
    const said = found.filter(({ help }) => help.endsWith(" wait for it"));
    expect(said.map(({ rule }) => rule)).toEqual(["syntax/unclosed-string"]);
    const { applied, deployment: fixed, diagnostics } = applyFixes(deployment, "all");
    expect(applied).toEqual(["put the key in double quotes"]);
    expect(fixed.document.text).toContain('"contract": 1');
    expect(diagnostics.filter(({ fix }) => fix !== null)).toEqual([]);
  });
});
