const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The SDK joins host and path as text, so a trailing slash would become a double one. Blank is none. */
export function cleanBaseURL(baseURL: string | undefined): string | undefined {
  const clean = baseURL?.trim().replace(/\/+$/, "");
  return clean === "" ? undefined : clean;
}

/** What the SDK takes its address from by itself, in its order (docs/contract/boxd.md#client). */
const ADDRESS_NAMES = ["BOXD_BASE_URL", "BOXD_API_URL"] as const;

/** The address that the SDK would read from an environment, and the name of its variable. */
export function environmentBaseURL(env: {
  readonly [name: string]: string | undefined;
}): { readonly name: string; readonly baseURL: string } | undefined {
  for (const name of ADDRESS_NAMES) {
    const baseURL = cleanBaseURL(env[name]);
    if (baseURL !== undefined) return { name, baseURL };
  }
  return undefined;
}

/** Whether a `URL.hostname` is this computer itself, where nobody listens in. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * Why the key must not be sent to a base URL, in words that follow its name ("must be https"); null for one that will do. The address is not in
 * them: it may hold a password.
 */
export function baseUrlProblem(baseURL: string): string | null {
  const clean = cleanBaseURL(baseURL) ?? "";
  const [, scheme, rest = ""] = /^(https?):\/\/(.*)$/is.exec(clean) ?? [];
  if (scheme === undefined || !URL.canParse(clean)) return "is not an http or https URL";
  if (/^[^/\\?#]*@/.test(rest)) return "must not contain credentials";
  if (/[/\\?#\s]/.test(rest)) return "must have no path";
  const isOpen = scheme.toLowerCase() === "http" && !isLoopback(new URL(clean).hostname);
  return isOpen ? "must be https: the key would travel unencrypted (http is for this computer itself)" : null;
}
