import * as z from "zod/mini";
import type { JsonValue } from "../../base/json.ts";
import { memoizeByText } from "../../base/memo.ts";
import { readOrigin } from "../origin-url.ts";
import { MODEL_PROVIDER_NAMES, SERVICE_NAMES, TARGET_NAMES } from "../written-config.ts";
import { awsSchema } from "./aws.ts";
import { label, nonBlank, text, wholeNumber } from "./field-types.ts";
import { pluginsSchema } from "./plugins.ts";
import { sandboxSchema, securityScreenSchema } from "./sandbox.ts";
import { envSchema, imageOverridesSchema, secretEnvSchema, vmsSchema } from "./services.ts";

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

/** What each field is that every config has; made when it is looked at. */
const REQUIRED = {
  contract: () => z.literal(1),
  orgId: () => label(),
  publicUrl: () => origin(),
  target: () => z.enum(TARGET_NAMES),
  services: () => z.array(z.enum(SERVICE_NAMES)),
};

/** What each of the others is; made when a config has the field, as making all of them costs more than judging most configs. */
const OPTIONAL = {
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

type Required = typeof REQUIRED;
type Optional = typeof OPTIONAL;
type Shape = { [name in keyof Required]: ReturnType<Required[name]> } & {
  [name in keyof Optional]: z.ZodMiniOptional<ReturnType<Optional[name]>>;
};

/** The schema of a field, made once. */
const fieldSchema = memoizeByText(64, (name): z.ZodMiniType =>
  isRequired(name) ? REQUIRED[name]() : z.optional(OPTIONAL[name as keyof Optional]() as z.ZodMiniType),
);

function isRequired(name: string): name is keyof Required {
  return Object.hasOwn(REQUIRED, name);
}

const NAMES = [...Object.keys(REQUIRED), ...Object.keys(OPTIONAL)];

function objectOf(names: readonly string[]): z.ZodMiniObject<{ [name: string]: z.ZodMiniType }, z.core.$strict> {
  return z.strictObject(Object.fromEntries(names.map((name) => [name, fieldSchema(name)])));
}

/** The shape of `qm.config.jsonc`, contract 1, strict at every level. */
export function configSchema(): z.ZodMiniObject<Shape, z.core.$strict> {
  return objectOf(NAMES) as unknown as z.ZodMiniObject<Shape, z.core.$strict>;
}

/** The shape without the optional fields that a config does not have: zod would look for each. */
const schemaWith = memoizeByText(64, (keys) => {
  const written = new Set(keys.split("\n"));
  return objectOf(NAMES.filter((name) => written.has(name) || isRequired(name)));
});

/** What of a config's value has not its shape, in the words of zod; empty where all has. */
export function schemaIssues(value: JsonValue | undefined): readonly z.core.$ZodIssue[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return issuesOf(configSchema(), value);
  const fields = value as { readonly [name: string]: JsonValue };
  try {
    return issuesOf(schemaWith(Object.keys(fields).join("\n")), value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return issuesOfMost(fields);
  }
}

function issuesOf(schema: z.ZodMiniType, value: JsonValue | undefined): readonly z.core.$ZodIssue[] {
  return schema.safeParse(value).error?.issues ?? [];
}

/** zod hands issues on as arguments of a call, of which there can be some hundred thousand: a field with as many is judged as one. */
function issuesOfMost(fields: { readonly [name: string]: JsonValue }): readonly z.core.$ZodIssue[] {
  const hopeless = NAMES.filter((name) => Object.hasOwn(fields, name) && !canBeJudged(name, fields[name]));
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !hopeless.includes(name)));
  const issues = issuesOf(schemaWith(Object.keys(rest).join("\n")), rest).filter(
    ({ path }) => !hopeless.includes(String(path[0])),
  );
  return [
    ...issues,
    ...hopeless.map((name) => ({
      code: "custom" as const,
      path: [name],
      input: undefined,
      message: "of a size that somebody can look through: nearly nothing in it has its shape",
    })),
  ];
}

function canBeJudged(name: string, value: JsonValue | undefined): boolean {
  try {
    issuesOf(objectOf([name]), { [name]: value as JsonValue });
    return true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}
