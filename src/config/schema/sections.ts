import * as z from "zod/mini";
import { envMap, envName, image, nonBlank, text } from "./field-types.ts";

/** `env`: per declared service, names and values. */
export function envSchema() {
  const map = () => z.optional(envMap());
  return z.strictObject({ core: map(), "web-ui": map(), admin: map(), portal: map(), auth: map(), slack: map() });
}

/** `secretEnv`: per declared service, environment name to name in the secrets store. */
export function secretEnvSchema() {
  const map = () => z.optional(z.record(envName(), envName()));
  return z.strictObject({ core: map(), "web-ui": map(), admin: map(), portal: map(), auth: map(), slack: map() });
}

/** `imageOverrides`: per service that is a program of its own. */
export function imageOverridesSchema() {
  const reference = () => z.optional(image());
  return z.strictObject({
    core: reference(),
    "web-ui": reference(),
    admin: reference(),
    portal: reference(),
    auth: reference(),
  });
}

/** Memory as Fly reads it: megabytes, or with a unit. */
const MEMORY = /^[1-9][0-9]*([mMgG]([iI]?[bB])?)?$/;

/** `vms`: Fly machine sizes. */
export function vmsSchema() {
  const vm = () =>
    z.optional(
      z.strictObject({
        size: z.optional(text(/^[a-z0-9]+(-[a-z0-9]+)*$/, "the name of a Fly machine size, such as `shared-cpu-1x`")),
        memory: z.optional(text(MEMORY, "an amount of memory such as `512mb` or `2gb`")),
      }),
    );
  return z.strictObject({ core: vm(), "web-ui": vm(), admin: vm(), portal: vm(), auth: vm() });
}

/** Names that a plugin cannot have: the services, the bundled database and the sandbox layer. */
const PLUGIN_NAME = /^(?!(core|web-ui|admin|portal|auth|slack|pg|sandbox)$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

export function pluginsSchema() {
  const secret = z.strictObject({
    name: envName(),
    description: z.optional(z.string()),
    required: z.optional(z.boolean()),
  });
  return z.array(
    z.strictObject({
      name: text(
        PLUGIN_NAME,
        "lowercase letters, digits and inner hyphens, at most 63 characters, and none of the names core, web-ui, admin, portal, auth, slack, pg, sandbox",
      ),
      image: z.optional(image()),
      env: z.optional(envMap()),
      secrets: z.optional(z.array(secret)),
      coreAccess: z.optional(z.boolean()),
    }),
  );
}

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
