import * as z from "zod/mini";
import { envMap, envName, image, text } from "./field-types.ts";

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
