import { findSecretPlaceholder } from "../config/placeholder.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { bad, good, type Outcome } from "./outcome.ts";

/** The secret that pushes to Fly's registry. */
export const TOKEN_NAME = "FLY_SANDBOX_API_TOKEN";

/** The token for Fly's registry: from `.env`, then from the environment. */
export function flyToken(
  { env }: Deployment,
  environment: { readonly [name: string]: string | undefined },
): Outcome<string> {
  const help = `make one with \`fly tokens create deploy -a <sandbox-app> -x 8760h\`, and set it with \`qm-deploy secrets set ${TOKEN_NAME}\``;
  const written = env?.values.get(TOKEN_NAME)?.trim() ?? "";
  const token = written === "" ? (environment[TOKEN_NAME]?.trim() ?? "") : written;
  if (token === "")
    return bad(
      `\`${TOKEN_NAME}\` has no value, neither in \`.env\` nor in the environment, and Fly's registry asks for it`,
      help,
    );
  if (findSecretPlaceholder(token) !== null) return bad(`\`${TOKEN_NAME}\` is still a placeholder`, help);
  if (/[\0-\x1f\x7f]/.test(token)) return bad(`\`${TOKEN_NAME}\` has a control character in it`, help);
  return good(token);
}
