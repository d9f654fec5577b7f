import * as z from "zod/mini";

/**
 * Building blocks of the schema. `words` completes the sentence "`field` must be …": zod's own messages are never shown.
 * Patterns carry no flags, because JSON Schema has none.
 */
export function text(pattern: RegExp, words: string): z.ZodMiniString {
  return z.string().check(z.regex(pattern, words));
}

export function wholeNumber(least: number, most: number, words: string): z.ZodMiniNumber {
  return z.int().check(z.minimum(least, words), z.maximum(most, words));
}

/** A lowercase DNS label, as qm asks of organisations, plugins and (like Fly itself) of app names. */
export const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
export const LABEL_WORDS = "lowercase letters, digits and inner hyphens, at most 63 characters";

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const ENV_NAME_WORDS = "an environment name: letters, digits and `_`, not starting with a digit";

export function label(): z.ZodMiniString {
  return text(LABEL, LABEL_WORDS);
}

export function envName(): z.ZodMiniString {
  return text(ENV_NAME, ENV_NAME_WORDS);
}

export function nonBlank(): z.ZodMiniString {
  return text(/\S/, "text that is not blank");
}

/** An image reference; a digest in it must be whole, since a short one is only found out when a machine pulls it. */
export function image(): z.ZodMiniString {
  return text(
    /^[^\s@]+(@sha256:[0-9a-f]{64})?$/,
    "an image reference without spaces, its digest (when it has one) `@sha256:` and 64 hexadecimal digits",
  );
}

/** Environment names with their values. */
export function envMap(): z.ZodMiniRecord<z.ZodMiniString, z.ZodMiniString> {
  return z.record(envName(), z.string());
}

/** A commercial IAM role. */
export function roleArn(): z.ZodMiniString {
  return text(
    /^arn:aws:iam::[0-9]{12}:role\/[A-Za-z0-9_+=,.@/-]+$/,
    "the ARN of an IAM role: `arn:aws:iam::<12 digits>:role/<name>`",
  );
}

/** Name of a load balancer or target group. */
export function albName(): z.ZodMiniString {
  return text(
    /^(?!internal-)[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/,
    "letters, digits and inner hyphens, at most 32 characters, not starting with `internal-`",
  );
}

/** An object whose fields may each be left out. */
export function optionalObject(fields: { readonly [name: string]: z.ZodMiniType }) {
  return z.strictObject(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, z.optional(field)])));
}
