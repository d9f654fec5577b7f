import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { readOrigin } from "../../src/config/origin-url.ts";
import { mutate, mutations, soundConfigs, type Plain } from "./arbitrary-config.ts";
import { runs } from "../support/runs.ts";

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../schema/qm.config.schema.json"), "utf8"),
) as object;
const validate = new Ajv({ strict: false }).compile(schema);

/** What the two may judge differently, each with its reason. */
const REFINEMENTS: { readonly what: string; readonly applies: (config: { [key: string]: Plain }) => boolean }[] = [
  {
    what: "the schema lists the names of sandbox.backend for editors; the loader leaves an unknown one to a rule that knows the release",
    applies: ({ sandbox }) => typeof (sandbox as { backend?: unknown } | undefined)?.backend === "string",
  },
  {
    what: "only the loader sees that an origin is not canonical: no pattern knows default ports and host names",
    applies: ({ publicUrl, apiUrl }) =>
      [publicUrl, apiUrl].some(
        (url) => typeof url === "string" && /^https?:\/\/[^\s/?#@\\]+\/?$/.test(url) && !readOrigin(url).ok,
      ),
  },
];

/** Null where the loader's verdict is about something else than shape: syntax and placeholders. */
function loaderAccepts(text: string): boolean | null {
  const { diagnostics } = loadConfig({ file: "f", text });
  if (diagnostics.some(({ rule }) => rule.startsWith("syntax/") || rule === "config/placeholder")) return null;
  return !diagnostics.some(({ severity }) => severity === "error");
}

function agree(config: Plain): boolean | null {
  const text = JSON.stringify(config);
  const loader = loaderAccepts(text);
  if (loader === null) return null;
  const editor = validate(JSON.parse(text));
  if (loader === editor) return true;
  return REFINEMENTS.some(({ applies }) => applies(config as { [key: string]: Plain }));
}

describe("the JSON Schema and the loader", () => {
  test("both accept what has the right shape", () => {
    fc.assert(
      fc.property(soundConfigs, (config) => {
        const text = JSON.stringify(config);
        expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
        expect(
          loadConfig({ file: "f", text }).diagnostics.filter(
            ({ severity, rule }) => severity === "error" && rule !== "config/placeholder",
          ),
        ).toEqual([]);
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test("agree on mutated configs, but for the listed refinements", () => {
    const verdicts = { accepted: 0, rejected: 0 };
    fc.assert(
      fc.property(soundConfigs, fc.array(mutations, { minLength: 1, maxLength: 3 }), (config, changes) => {
        const copy = JSON.parse(JSON.stringify(config)) as Plain;
        for (const change of changes) mutate(copy, change);
        expect(agree(copy), JSON.stringify(copy)).not.toBe(false);
        verdicts[validate(copy) ? "accepted" : "rejected"]++;
      }),
      { numRuns: runs(400, 4_000) },
    );
    // Both verdicts must really occur, else the property says nothing.
    expect(verdicts.accepted).toBeGreaterThan(runs(10, 100));
    expect(verdicts.rejected).toBeGreaterThan(runs(10, 100));
  });

  test("each refinement is a real difference", () => {
    const sound = {
      contract: 1,
      orgId: "acme",
      publicUrl: "https://qm.acme.dev",
      target: "docker",
      services: ["core"],
    };
    for (const config of [
      { ...sound, sandbox: { backend: "nomad" } },
      { ...sound, publicUrl: "https://qm.acme.dev:443" },
    ]) {
      expect(validate(config)).not.toBe(loaderAccepts(JSON.stringify(config)));
      expect(agree(config)).toBe(true);
    }
  });
});
