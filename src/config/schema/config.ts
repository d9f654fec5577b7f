import * as z from "zod/mini";
import type { JsonValue } from "../../diagnostics/diagnostic.ts";
import { perText } from "../../diagnostics/per-text.ts";
import { readOrigin } from "../origin-url.ts";
import { MODEL_PROVIDER_NAMES, SERVICE_NAMES, TARGET_NAMES } from "../written.ts";
import { awsSchema } from "./aws.ts";
import { label, nonBlank, text, wholeNumber } from "./parts.ts";
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
  const pattern = new RegExp(`^\\s*[^\\s${UNPRINTABLE}]([^${UNPRINTABLE}]{0,${longest - 2}}[^\\s${UNPRINTABLE}])?\\s*$`);
  return text(pattern, `1 to ${longest} characters on one line, none of them \`< > { } " \\\``);
}

/** What each field is; made when a config has the field, as making all of them costs more than judging most configs. */
const FIELDS = {
  $schema: () => z.optional(z.string()),
  contract: () => z.literal(1),
  orgId: () => label(),
  publicUrl: () => origin(),
  apiUrl: () => z.optional(origin()),
  target: () => z.enum(TARGET_NAMES),
  model: () => z.optional(nonBlank()),
  modelProvider: () => z.optional(z.enum(MODEL_PROVIDER_NAMES)),
  // The portal listens on the port above, the web interface on the one above that.
  basePort: () => z.optional(wholeNumber(1, 65533, "a whole number from 1 to 65533 (the two ports above it are used too)")),
  services: () => z.array(z.enum(SERVICE_NAMES)),
  plugins: () => z.optional(pluginsSchema()),
  skills: () => z.optional(z.array(nonBlank())),
  env: () => z.optional(envSchema()),
  secretEnv: () => z.optional(secretEnvSchema()),
  securityScreen: () => z.optional(securityScreenSchema()),
  vms: () => z.optional(vmsSchema()),
  imageOverrides: () => z.optional(imageOverridesSchema()),
  sandbox: () => z.optional(sandboxSchema()),
  botName: () => z.optional(brand(31)),
  orgName: () => z.optional(brand(40)),
  appPrefix: () => z.optional(label()),
  region: () => z.optional(text(/^[a-z][a-z0-9-]*$/, "the name of a region: lowercase letters, digits and hyphens")),
  flyOrg: () => z.optional(label()),
  imageFrom: () => z.optional(label()),
  deployAppPrefix: () => z.optional(label()),
  aws: () => z.optional(awsSchema()),
};

/** The fields that every config has. */
const REQUIRED: ReadonlySet<string> = new Set(["contract", "orgId", "publicUrl", "target", "services"]);

type Shape = { [name in keyof typeof FIELDS]: ReturnType<(typeof FIELDS)[name]> };

const made = new Map<string, z.ZodMiniType>();

function field(name: string): z.ZodMiniType {
  let schema = made.get(name);
  if (schema === undefined) {
    schema = FIELDS[name as keyof typeof FIELDS]();
    made.set(name, schema);
  }
  return schema;
}

function shapeOf(names: readonly string[]): { [name: string]: z.ZodMiniType } {
  return Object.fromEntries(names.map((name) => [name, field(name)]));
}

/** The shape of `qm.config.jsonc`, contract 1, strict at every level. */
export function configSchema(): z.ZodMiniObject<Shape, z.core.$strict> {
  return z.strictObject(shapeOf(Object.keys(FIELDS)) as Shape);
}

/** The shape without the optional fields that a config does not have: zod would look for each. */
const schemaWith = perText(64, (keys) => {
  const written = new Set(keys.split("\n"));
  return z.strictObject(shapeOf(Object.keys(FIELDS).filter((name) => written.has(name) || REQUIRED.has(name))));
});

/** What of a config's value has not its shape, in the words of zod; empty where all has. */
export function shapeIssues(value: JsonValue | undefined): readonly z.core.$ZodIssue[] {
  const keys = typeof value === "object" && value !== null ? Object.keys(value).join("\n") : "";
  return schemaWith(keys).safeParse(value).error?.issues ?? [];
}
