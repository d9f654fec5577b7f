import { withoutUndefined } from "../../base/without-undefined.ts";
import { HOME, WORKSPACE } from "./paths.ts";
import type { ProvisionOptions, SandboxHandle } from "./sandbox.ts";

/** Variables that steer HTTP clients through a proxy. An agent's own are dropped: only the operator decides about egress. */
const PROXY_VARIABLE =
  /^(?:HTTPS?_PROXY|ALL_PROXY|NO_PROXY|https?_proxy|all_proxy|no_proxy|GIT_HTTP_PROXY_AUTHMETHOD)$/;
const LOOPBACK = "localhost,127.0.0.1,::1";

/** The handle of a machine by its name, with the environment of its commands. */
export function handleOf(
  name: string,
  coldStart: boolean,
  asked: ProvisionOptions,
  proxyUrl: string | undefined,
): SandboxHandle {
  const env = handleEnv(asked.env ?? {}, proxyUrl, asked.egressToken);
  return withoutUndefined({
    id: name,
    rootDir: `${HOME}/${WORKSPACE}`,
    homeDir: HOME,
    coldStart,
    scratch: asked.scratch && true,
    env: Object.keys(env).length === 0 ? undefined : env,
  });
}

/**
 * The environment of a handle: what was asked for without proxy variables, and the forced proxy when there are both a proxy and a token
 * for it. With only one of them nothing is forced.
 */
export function handleEnv(asked: Readonly<Record<string, string>>, proxyUrl?: string, token = "") {
  const own = Object.fromEntries(Object.entries(asked).filter(([name]) => !PROXY_VARIABLE.test(name)));
  if (proxyUrl === undefined || token === "") return own;
  const { protocol, host } = new URL(proxyUrl);
  const url = `${protocol}//x:${encodeURIComponent(token)}@${host}`;
  return {
    ...own,
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
