import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { generateSchema } from "../../scripts/generate/schema.ts";

const FILE = join(import.meta.dirname, "../../schema/qm.config.schema.json");

// UPDATE_SCHEMA=1 writes the file, for `npm run generate`.
test("the committed JSON Schema is that of the sources", () => {
  const text = `${JSON.stringify(generateSchema(), null, 2)}\n`;
  if (process.env["UPDATE_SCHEMA"] === "1") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
});

test("it is a valid draft-07 schema whose examples fit", () => {
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
