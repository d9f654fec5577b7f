import * as z from "zod/mini";
import type { JsonValue } from "../../base/json.ts";
import { memoizeByText } from "../../base/memo.ts";
import { readOrigin } from "../origin-url.ts";
import { MODEL_PROVIDER_NAMES, SERVICE_NAMES, TARGET_NAMES } from "../written-config.ts";
import { awsSchema } from "./aws.ts";
import { label, nonBlank, text, wholeNumber } from "./field-types.ts";
import {
  envSchema,
  imageOverridesSchema,
  pluginsSchema,
  sandboxSchema,
  secretEnvSchema,
  securityScreenSchema,
  vmsSchema,
} from "./sections.ts";

const ORIGIN_WORDS = "the http or https origin of a site, such as `https://qm.acme.com`";
const ORIGIN = /^https?:\/\/[^\s/?#@\\]+\/?$/;

function origin(): z.ZodMiniString {
  return text(ORIGIN, ORIGIN_WORDS).check(z.refine((url) => readOrigin(url).ok, ORIGIN_WORDS));
}

/** A name shown to people: one line without the characters that break templates and headers. */
const UNPRINTABLE = String.raw`<>{}"\\\u0000-\u001f\u007f-\u009f\u2028\u2029`;

function brand(longest: number): z.ZodMiniString {
  const pattern = new RegExp(
    `^\\s*[^\\s${UNPRINTABLE}]([^${UNPRINTABLE}]{0,${longest - 2}}[^\\s${UNPRINTABLE}])?\\s*$`,
  );
  return text(pattern, `1 to ${longest} characters on one line, none of them \`< > { } " \\\``);
}

type FieldSchema = () => z.ZodMiniType;

/** What each field is that every config has; made when it is looked at. */
const REQUIRED: { readonly [name: string]: FieldSchema } = {
  contract: () => z.literal(1),
  orgId: () => label(),
  publicUrl: () => origin(),
  target: () => z.enum(TARGET_NAMES),
  services: () => z.array(z.enum(SERVICE_NAMES)),
};

/** What each of the others is; made when a config has the field, as making all of them costs more than judging most configs. */
const OPTIONAL: { readonly [name: string]: FieldSchema } = {
  $schema: () => z.string(),
  apiUrl: () => origin(),
  model: () => nonBlank(),
  modelProvider: () => z.enum(MODEL_PROVIDER_NAMES),
  // The portal listens on the port above, the web interface on the one above that.
  basePort: () => wholeNumber(1, 65533, "a whole number from 1 to 65533 (the two ports above it are used too)"),
  plugins: () => pluginsSchema(),
  skills: () => z.array(nonBlank()),
  env: () => envSchema(),
  secretEnv: () => secretEnvSchema(),
  securityScreen: () => securityScreenSchema(),
  vms: () => vmsSchema(),
  imageOverrides: () => imageOverridesSchema(),
  sandbox: () => sandboxSchema(),
  botName: () => brand(31),
  orgName: () => brand(40),
  appPrefix: () => label(),
  region: () => text(/^[a-z][a-z0-9-]*$/, "the name of a region: lowercase letters, digits and hyphens"),
  flyOrg: () => label(),
  imageFrom: () => label(),
  deployAppPrefix: () => label(),
  aws: () => awsSchema(),
};

const NAMES = [...Object.keys(REQUIRED), ...Object.keys(OPTIONAL)];

/** The schema of a field of {@link NAMES}, made once. */
const fieldSchema = memoizeByText(64, (name): z.ZodMiniType => {
  const required = REQUIRED[name];
  return required === undefined ? z.optional((OPTIONAL[name] as FieldSchema)()) : required();
});

/** The shape of `qm.config.jsonc`, contract 1, strict at every level. */
export function configSchema(): z.ZodMiniObject<{ [name: string]: z.ZodMiniType }, z.core.$strict> {
  return (wholeSchema ??= z.strictObject(Object.fromEntries(NAMES.map((name) => [name, fieldSchema(name)]))));
}

let wholeSchema: ReturnType<typeof configSchema> | undefined;

export type SchemaIssue = z.core.$ZodIssue;

/** What of a config's value has not its shape, in the words of zod: what {@link configSchema} finds, but field by field. */
export function schemaIssues(value: JsonValue | undefined): readonly SchemaIssue[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const fields = value as { readonly [name: string]: JsonValue };
  const issues = NAMES.filter((name) => Object.hasOwn(fields, name) || Object.hasOwn(REQUIRED, name)).flatMap((name) =>
    fieldIssues(name, fields[name]),
  );
  const keys = Object.keys(fields).filter((name) => !NAMES.includes(name));
  return keys.length === 0 ? issues : [...issues, { code: "unrecognized_keys", keys, path: [], message: "" }];
}

function fieldIssues(name: string, value: JsonValue | undefined): readonly SchemaIssue[] {
  const tooMany = "of a size that somebody can look through: nearly nothing in it has its shape";
  const issues = issuesOf(fieldSchema(name), value, tooMany);
  return issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }));
}

const MOST_ISSUES = 50_000;

/** What of a value has not its shape; where there is more than anybody reads, one issue with the words `tooMany` instead. */
export function issuesOf(schema: z.ZodMiniType, value: unknown, tooMany: string): readonly SchemaIssue[] {
  try {
    const issues = schema.safeParse(value).error?.issues ?? [];
    if (issues.length <= MOST_ISSUES) return issues;
  } catch (error) {
    // zod hands issues on as arguments of a call, of which there can be some hundred thousand.
    if (!(error instanceof RangeError)) throw error;
  }
  return [{ code: "custom", path: [], message: tooMany, input: undefined }];
}
