/** Variables that steer HTTP clients through a proxy. An agent's own are dropped: only the operator decides about egress. */
const PROXY_VARIABLES: ReadonlySet<string> = new Set([
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "GIT_HTTP_PROXY_AUTHMETHOD",
]);
const LOOPBACK = "localhost,127.0.0.1,::1";

/**
 * The environment of a handle: what was asked for without proxy variables, and the forced proxy when there are both a proxy and a token
 * for it. With only one of them nothing is forced.
 */
export function handleEnv(
  asked: Readonly<Record<string, string>>,
  proxyUrl?: string,
  token?: string,
): Record<string, string> {
  const own = Object.entries(asked).filter(([name]) => !PROXY_VARIABLES.has(name));
  const forced = proxyUrl === undefined || token === undefined || token === "" ? {} : forcedProxy(proxyUrl, token);
  return { ...Object.fromEntries(own), ...forced };
}

function forcedProxy(proxyUrl: string, token: string): Record<string, string> {
  const { protocol, host } = new URL(proxyUrl);
  const url = `${protocol}//x:${encodeURIComponent(token)}@${host}`;
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: LOOPBACK,
    http_proxy: url,
    https_proxy: url,
    no_proxy: LOOPBACK,
    // Without it git waits for a 407 challenge, which a proxy that answers 403 never sends.
    GIT_HTTP_PROXY_AUTHMETHOD: "basic",
  };
}
