import * as z from "zod/mini";
import { envMap, envName, image, nonBlank, text } from "./field-types.ts";

/** `sandbox`. The names of backends are the catalogue's: an unknown one is a rule's finding, not one of shape. */
export function sandboxSchema() {
  return z.strictObject({
    backend: z.optional(z.string()),
    app: z.optional(nonBlank()),
    image: z.optional(image()),
    baseImage: z.optional(
      text(/^[^\s@]+@sha256:[0-9a-f]{64}$/, "an image reference with its digest: `@sha256:` and 64 hexadecimal digits"),
    ),
    env: z.optional(envMap()),
    secretEnv: z.optional(z.array(envName())),
  });
}

const PROVIDER = /^(?!(surface|origin)$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const ENDPOINT = /^https:\/\/[^\s/?#@\\]*[^\s/?#@\\.]([/?][^\s#]*)?$/;

/** `securityScreen`: only a proxy has further fields. */
export function securityScreenSchema() {
  return z.discriminatedUnion("backend", [
    z.strictObject({ backend: z.literal("off") }),
    z.strictObject({ backend: z.literal("model") }),
    z.strictObject({
      backend: z.literal("proxy"),
      provider: text(
        PROVIDER,
        "lowercase letters, digits and inner hyphens, at most 63 characters, and neither `surface` nor `origin`",
      ),
      endpoint: text(ENDPOINT, "an https URL without credentials and fragment"),
      rollout: z.enum(["shadow", "enforce"]),
    }),
  ]);
}
