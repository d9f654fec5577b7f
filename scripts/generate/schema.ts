import * as z from "zod/mini";
import type { core } from "zod/mini";
import type { SandboxField } from "../../src/catalog/backends/backend.ts";
import { vocabulary, settingTakes, settingWords, type VocabularyEntry } from "../../src/catalog/vocabulary.ts";
import { BACKENDS } from "../../src/catalog/backends/index.ts";
import { declarableTargets } from "../../src/catalog/backends/index.ts";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { docPlace, FIELD_DOCS, type FieldDoc } from "../../src/config/schema/field-docs.ts";
import { configSchema } from "../../src/config/schema/config.ts";

/** The parts of a JSON Schema that are worked on here. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string;
  properties?: { [key: string]: JsonSchema };
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

const NOTE: JsonSchema = { description: "A note for people; nothing reads it." };

/** The JSON Schema (draft-07) of `qm.config.jsonc`: that of the zod schema, with texts, examples and what zod cannot say. */
export function generateSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema(), {
    target: "draft-7",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      const words = jsonSchema.pattern === undefined ? null : wordsOf(zodSchema);
      // Editors that know the keyword say this in the place of a regular expression.
      if (words !== null) Object.assign(jsonSchema, { patternErrorMessage: `Must be ${words}` });
    },
  }) as JsonSchema;
  const used = new Set<string>();
  describePlace(schema, "", used);
  const idle = Object.keys(FIELD_DOCS).filter((path) => !used.has(path));
  if (idle.length > 0) throw new Error(`texts of no field: ${idle.join(", ")}`);
  listBackends(schema.properties?.["sandbox"]?.properties?.["backend"]);
  listSettings(schema.properties?.["env"]);
  tellIdleFields(schema.properties?.["sandbox"]);
  const { $schema, ...rest } = schema;
  // VS Code underlines trailing commas without it; qm takes them.
  return { $schema, title: "qm.config.jsonc", allowTrailingCommas: true, ...rest };
}

/** What the check of a pattern says that a text must be; null where it says nothing. */
function wordsOf(schema: core.$ZodType): string | null {
  for (const check of schema._zod.def.checks ?? []) {
    const said = check._zod.def.error?.({} as never);
    const words = typeof said === "string" ? said : said?.message;
    if (words !== undefined) return words;
  }
  return null;
}

/** Of each backend the fields of `sandbox` that nothing reads there: editors strike them out, and the rules judge them. */
function tellIdleFields(sandbox: JsonSchema | undefined): void {
  if (sandbox === undefined) throw new Error("the schema has no `sandbox`");
  sandbox["allOf"] = BACKENDS.flatMap((backend) => {
    const releases = RELEASES.filter((release) => declarableTargets(backend, release).length > 0);
    const taken = new Set<string>(releases.flatMap((release) => backend.fields(release)));
    const idle = SANDBOX_FIELDS.filter((field) => !taken.has(field));
    if (releases.length === 0 || idle.length === 0) return [];
    const told = idle.map((field) => [
      field,
      { deprecationMessage: backend.insteadOfField(field), doNotSuggest: true },
    ]);
    const isSelected = { type: "object", properties: { backend: { const: backend.name } }, required: ["backend"] };
    return [{ if: { not: isSelected }, else: { type: "object", properties: Object.fromEntries(told) } }];
  });
}

const SANDBOX_FIELDS: readonly SandboxField[] = ["app", "image", "baseImage", "env", "secretEnv"];

function docOf(path: string, used: Set<string>): FieldDoc {
  const place = docPlace(path);
  if (place === undefined) throw new Error(`no text for ${path}`);
  used.add(place);
  return FIELD_DOCS[place] as FieldDoc;
}

function describePlace(schema: JsonSchema, path: string, used: Set<string>): void {
  const { text, examples } = docOf(path, used);
  schema["description"] = text.replaceAll("`", "");
  schema["markdownDescription"] = text;
  if (examples !== undefined) schema["examples"] = examples;
  describeInside(schema, path, used);
}

function describeInside(schema: JsonSchema, path: string, used: Set<string>): void {
  for (const option of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) describeInside(option, path, used);
  if (schema.items !== undefined) describePlace(schema.items, `${path}[]`, used);
  for (const [key, child] of Object.entries(schema.properties ?? {}))
    describePlace(child, path === "" ? key : `${path}.${key}`, used);
  if (typeof schema.additionalProperties === "object") describePlace(schema.additionalProperties, `${path}.*`, used);
  if (path.endsWith(".publicPaths")) schema["uniqueItems"] = true;
  if (schema.type !== "object") return;
  schema.properties = { ...schema.properties, "//": NOTE };
  if (schema.propertyNames !== undefined) schema.propertyNames = { anyOf: [{ const: "//" }, schema.propertyNames] };
}

/** Editors complete the names from here; to the loader they are text, because only the release says which are known. */
function listBackends(backend: JsonSchema | undefined): void {
  if (backend === undefined) throw new Error("the schema has no `sandbox.backend`");
  const names = BACKENDS.filter((each) => RELEASES.some((release) => declarableTargets(each, release).length > 0));
  backend["enum"] = names.map(({ name }) => name);
  backend["enumDescriptions"] = names.map((each) => {
    const targets = [...new Set(RELEASES.flatMap((release) => declarableTargets(each, release)))];
    return `${each.summary} (${targets.join(", ")})`;
  });
}

/** Editors complete names and words of `env` from here; other names stay free, and so do other texts, which rules judge. */
function listSettings(env: JsonSchema | undefined): void {
  for (const entry of vocabulary()) {
    const properties = env?.properties?.[entry.service]?.properties;
    if (properties === undefined) throw new Error(`the schema has no \`env.${entry.service}\``);
    properties[entry.setting.name] = settingSchema(entry);
  }
}

function settingSchema(entry: VocabularyEntry): JsonSchema {
  const { description, default: standard, example } = entry.setting;
  const text = `${description}. Takes ${settingTakes(entry)}.`;
  const words = settingWords(entry);
  return {
    ...(words.length === 0 ? { type: "string" } : { anyOf: [{ enum: words }, { type: "string" }] }),
    description: text.replaceAll("`", ""),
    markdownDescription: text,
    ...(standard === undefined ? {} : { default: standard }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}
