import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { vocabulary } from "../../src/catalog/vocabulary.ts";
import { generateSchema } from "../../scripts/generate/schema.ts";

test("the JSON Schema is a valid draft-07 schema whose examples fit", () => {
  const keywords =
    "markdownDescription enumDescriptions patternErrorMessage deprecationMessage doNotSuggest allowTrailingCommas";
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, keywords: keywords.split(" ") });
  const schema = generateSchema();
  expect(schema["$schema"]).toBe("http://json-schema.org/draft-07/schema#");
  ajv.compile(schema);
  const judge = (part: unknown): void => {
    if (part === null || typeof part !== "object") return;
    const { examples } = part as { examples?: unknown[] };
    const isSchema = "markdownDescription" in part;
    if (isSchema && examples !== undefined)
      for (const example of examples)
        expect(new Ajv({ strict: false }).validate(part, example), JSON.stringify(example)).toBe(true);
    for (const child of Object.values(part)) judge(child);
  };
  judge(schema);
});

test("the schema alone says what a text must look like, and which fields a backend does not take", () => {
  const silent: string[] = [];
  const look = (part: unknown, path: string): void => {
    if (part === null || typeof part !== "object") return;
    if ("pattern" in part && !("patternErrorMessage" in part)) silent.push(path);
    for (const [key, child] of Object.entries(part)) look(child, `${path}/${key}`);
  };
  const schema = generateSchema();
  look(schema, "");
  expect(silent).toEqual([]);
  expect(schema.properties?.["orgId"]?.["patternErrorMessage"]).toMatch(/^Must be lowercase letters, digits/);
  expect(schema["allowTrailingCommas"]).toBe(true);
  const told = schema.properties?.["sandbox"]?.["allOf"] as { readonly if: object; readonly else: object }[];
  expect(told).toContainEqual({
    if: { not: { type: "object", properties: { backend: { const: "boxd" } }, required: ["backend"] } },
    else: expect.objectContaining({
      properties: expect.objectContaining({ app: expect.objectContaining({ doNotSuggest: true }) }),
    }),
  });
  const core = schema.properties?.["imageOverrides"]?.properties;
  expect([core?.["core"]?.["examples"], core?.["portal"]?.["examples"]]).toEqual([
    ["ghcr.io/acme/qm-core:boxd"],
    ["ghcr.io/acme/qm:1.4.0"],
  ]);
});

test("editors complete the settings of each service from the schema, and may write other names and words", () => {
  const schema = generateSchema();
  const env = schema.properties?.["env"]?.properties;
  const names = vocabulary().map((entry) => [entry.service, entry.setting.name] as const);
  expect(names.length).toBeGreaterThan(200);
  for (const [service, name] of names)
    expect(env?.[service]?.properties?.[name]?.["markdownDescription"], `${service} ${name}`).toMatch(/ Takes .*\.$/);
  expect(env?.["core"]?.properties?.["HARNESS"]?.anyOf?.[0]).toEqual({
    enum: ["pi", "opencode", "codex", "claude", "mock"],
  });
  expect(env?.["core"]?.properties?.["WORKERS"]).toMatchObject({ type: "string", default: "16" });
  // A secret has no place in the config.
  expect(env?.["core"]?.properties?.["DATABASE_URL"]).toBeUndefined();
  const accepts = new Ajv({ strict: false }).compile(schema.properties?.["env"] as object);
  expect(accepts({ core: { HARNESS: " pi ", ACME: "x" } })).toBe(true);
  expect(accepts({ core: { WORKERS: 4 } })).toBe(false);
});
