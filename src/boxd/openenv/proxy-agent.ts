import { request as requestHttp } from "node:http";
import { Agent } from "node:https";
import type { Duplex } from "node:stream";
import { connect, type ConnectionOptions } from "node:tls";

type Environment = { readonly [name: string]: string | undefined };

/**
 * How to reach an https address from a network that has a proxy: through the one that `https_proxy` names, unless `no_proxy` has the host. OpenEnv's own
 * clients go the same way (docs/contract/openenv.md#session). Undefined where no proxy is meant, or one that is not spoken to by plain http. Throws
 * TypeError, without the value, for a login that cannot be decoded.
 */
export function proxyAgent(env: Environment, url: string): Agent | undefined {
  const proxy = valueOf(env, "https_proxy");
  if (!URL.canParse(proxy) || new URL(proxy).protocol !== "http:") return undefined;
  if (isExcepted(new URL(url).hostname, valueOf(env, "no_proxy"))) return undefined;
  const { hostname, port, username, password } = new URL(proxy);
  return new TunnelAgent({ host: hostname, port: port || 80, login: loginOf(env, username, password) });
}

/** What its variable says, in lower case before upper. */
function valueOf(env: Environment, name: string): string {
  return (env[nameOf(env, name)] ?? "").trim();
}

function nameOf(env: Environment, name: string): string {
  return env[name] === undefined ? name.toUpperCase() : name;
}

/** For the header; undefined where the address has none. */
function loginOf(env: Environment, username: string, password: string): string | undefined {
  if (username === "") return undefined;
  try {
    return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  } catch {
    const says = "has a user or password that cannot be read: a `%` in it must be written `%25`";
    throw new TypeError(`${nameOf(env, "https_proxy")} ${says}`);
  }
}

/** `no_proxy` is a list of hosts, each with all that ends in it; `*` is everything. */
function isExcepted(host: string, list: string): boolean {
  const entries = list.split(",").map((entry) =>
    entry
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, ""),
  );
  return entries.some((entry) => entry === "*" || (entry !== "" && (host === entry || host.endsWith(`.${entry}`))));
}

interface Proxy {
  readonly host: string;
  readonly port: number | string;
  readonly login: string | undefined;
}

/** Connections are TLS within what the proxy passes on unread. */
class TunnelAgent extends Agent {
  readonly #proxy: Proxy;

  constructor(proxy: Proxy) {
    super();
    this.#proxy = proxy;
  }

  override createConnection(
    options: { host?: string | null; port?: number | string | null; servername?: string },
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null {
    const { login, ...proxy } = this.#proxy;
    const host = options.host ?? "";
    const headers = login === undefined ? {} : { "proxy-authorization": `Basic ${login}` };
    const target = `${host}:${options.port ?? 443}`;
    const request = requestHttp({ ...proxy, method: "CONNECT", path: target, headers });
    const fail = (error: Error): void => callback?.(error, undefined as unknown as Duplex);
    request.once("error", fail);
    request.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200)
        return callback?.(null, connect({ servername: host, ...options, socket } as ConnectionOptions));
      socket.destroy();
      fail(new Error(`the proxy answered ${statusCode}`));
      return undefined;
    });
    request.end();
    return null;
  }
}
