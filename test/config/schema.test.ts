import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { generateSchema } from "../../scripts/generate/schema.ts";

test("the JSON Schema is a valid draft-07 schema whose examples fit", () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, keywords: ["markdownDescription", "enumDescriptions"] });
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
