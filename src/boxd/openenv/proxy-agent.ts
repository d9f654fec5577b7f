import { request as requestHttp } from "node:http";
import { Agent } from "node:https";
import type { Duplex } from "node:stream";
import { connect, type ConnectionOptions } from "node:tls";

type Environment = { readonly [name: string]: string | undefined };

/**
 * How to reach an https address from a network that has a proxy: through the one that `https_proxy` names, unless `no_proxy` has the host. OpenEnv's own
 * clients go the same way (docs/contract/openenv.md#session). Undefined where no proxy is meant, or one that is not spoken to by plain http.
 */
export function proxyAgent(env: Environment, url: string): Agent | undefined {
  const named = (name: string): string => (env[name] ?? env[name.toUpperCase()] ?? "").trim();
  const proxy = named("https_proxy");
  if (!URL.canParse(proxy) || new URL(proxy).protocol !== "http:") return undefined;
  return isExcepted(new URL(url).hostname, named("no_proxy")) ? undefined : new TunnelAgent(new URL(proxy));
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

/** Connections are TLS within what the proxy passes on unread. */
class TunnelAgent extends Agent {
  readonly #proxy: URL;

  constructor(proxy: URL) {
    super();
    this.#proxy = proxy;
  }

  override createConnection(
    options: { host?: string | null; port?: number | string | null; servername?: string },
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null {
    const { hostname, port, username, password } = this.#proxy;
    const host = options.host ?? "";
    const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
    const headers = username === "" ? {} : { "proxy-authorization": `Basic ${login}` };
    const target = `${host}:${options.port ?? 443}`;
    const request = requestHttp({ host: hostname, port: port || 80, method: "CONNECT", path: target, headers });
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
