import * as z from "zod/mini";
import { RUNNABLE_SERVICE_NAMES, SERVICE_NAMES } from "../written-config.ts";
import { envMap, envName, image, LABEL_WORDS, optionalObject, text } from "./field-types.ts";

/** An object that may have a field of one kind for each of some names. */
function perName(names: readonly string[], field: () => z.ZodMiniType) {
  return optionalObject(Object.fromEntries(names.map((name) => [name, field()])));
}

/** `env`: per declared service, names and values. */
export function envSchema() {
  return perName(SERVICE_NAMES, envMap);
}

/** `secretEnv`: per declared service, environment name to name in the secrets store. */
export function secretEnvSchema() {
  return perName(SERVICE_NAMES, () => z.record(envName(), envName()));
}

/** `imageOverrides`: per service that is a program of its own. */
export function imageOverridesSchema() {
  return perName(RUNNABLE_SERVICE_NAMES, image);
}

/** Memory as Fly reads it: megabytes, or with a unit. */
const MEMORY = /^[1-9][0-9]*([mMgG]([iI]?[bB])?)?$/;

/** `vms`: Fly machine sizes. */
export function vmsSchema() {
  return perName(RUNNABLE_SERVICE_NAMES, () =>
    optionalObject({
      size: text(/^[a-z0-9]+(-[a-z0-9]+)*$/, "the name of a Fly machine size, such as `shared-cpu-1x`"),
      memory: text(MEMORY, "an amount of memory such as `512mb` or `2gb`"),
    }),
  );
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

/** The name of a Fly app; blanks around it are taken away where it is used. */
const SANDBOX_APP = /^\s*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\s*$/;

/** `sandbox`. The names of backends are the catalogue's: an unknown one is a rule's finding, not one of shape. */
export function sandboxSchema() {
  return optionalObject({
    backend: z.string(),
    app: text(SANDBOX_APP, LABEL_WORDS),
    image: image(),
    baseImage: text(
      /^[^\s@]+@sha256:[0-9a-f]{64}$/,
      "an image reference with its digest: `@sha256:` and 64 hexadecimal digits",
    ),
    env: envMap(),
    secretEnv: z.array(envName()),
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
