import { createServer, type IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proxyAgent } from "../../../src/boxd/openenv/proxy-agent.ts";
import { DOMAIN } from "../../support/boxd-fake/index.ts";
import { certificate, hasOpenssl } from "./front.ts";

const URL_OF_MACHINE = `https://m-1.${DOMAIN}`;

test.each([
  [{ https_proxy: "http://proxy.example:3128" }, true],
  [{ HTTPS_PROXY: "http://proxy.example" }, true],
  [{ https_proxy: "", HTTPS_PROXY: "http://proxy.example" }, false],
  [{ http_proxy: "http://proxy.example" }, false],
  [{ https_proxy: "socks5://proxy.example" }, false],
  [{ https_proxy: "proxy.example:3128" }, false],
  [{ https_proxy: "http://proxy.example", no_proxy: "*" }, false],
  [{ https_proxy: "http://proxy.example", NO_PROXY: `a.example, .${DOMAIN}` }, false],
  [{ https_proxy: "http://proxy.example", no_proxy: DOMAIN }, false],
  [{ https_proxy: "http://proxy.example", no_proxy: `x${DOMAIN},oxd.test,` }, true],
])("in %j a proxy is meant: %s", (env, isMeant) => {
  expect(proxyAgent(env, URL_OF_MACHINE) !== undefined).toBe(isMeant);
});

test.each(["https_proxy", "HTTPS_PROXY"])("a login in %s that cannot be decoded is named, and not shown", (name) => {
  for (const login of ["us%er:s3cret-word", "user:s3cret-word%", "user:%ffs3cret-word"]) {
    const agent = () => proxyAgent({ [name]: `http://${login}@proxy.example` }, URL_OF_MACHINE);
    expect(agent).toThrow(new RegExp(`^${name} has a user or password that cannot be read`));
    expect(agent).not.toThrow("s3cret-word");
    expect(proxyAgent({ [name]: `http://${login}@proxy.example`, no_proxy: "*" }, URL_OF_MACHINE)).toBeUndefined();
  }
});

describe.skipIf(!hasOpenssl)(`through a proxy${hasOpenssl ? "" : " (skipped: needs openssl)"}`, () => {
  const asked: IncomingMessage[] = [];
  const target = createTlsServer(hasOpenssl ? certificate() : {});
  const proxy = createServer();
  beforeAll(async () => {
    target.on("secureConnection", (socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"));
    });
    proxy.on("connect", (message: IncomingMessage, socket: Socket) => {
      asked.push(message);
      if (message.url?.startsWith("refused") === true) return socket.end("HTTP/1.1 407 Who are you\r\n\r\n");
      const inner = connect((target.address() as AddressInfo).port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(inner).pipe(socket);
      });
      for (const one of [socket, inner]) one.on("error", () => undefined);
      return undefined;
    });
    await Promise.all([target, proxy].map((one) => new Promise<void>((done) => one.listen(0, "127.0.0.1", done))));
  });
  afterAll(() => {
    target.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  function get(url: string, login = "", ca = [certificate().cert]): Promise<number | undefined> {
    const { port } = proxy.address() as AddressInfo;
    const agent = proxyAgent({ https_proxy: `http://${login}127.0.0.1:${port}` }, url);
    return new Promise((resolve, reject) => {
      request(url, { agent, ca }, ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end();
    });
  }

  test("an https address is reached, its certificate checked against its name", async () => {
    expect(await get(URL_OF_MACHINE, "me:p%40ss@")).toBe(204);
    expect(asked.at(-1)?.url).toBe(`m-1.${DOMAIN}:443`);
    const login = Buffer.from("me:p@ss").toString("base64");
    expect(asked.at(-1)?.headers["proxy-authorization"]).toBe(`Basic ${login}`);
    expect(await get(`${URL_OF_MACHINE}:8443/health`)).toBe(204);
    expect(asked.at(-1)?.url).toBe(`m-1.${DOMAIN}:8443`);
    expect(asked.at(-1)?.headers["proxy-authorization"]).toBeUndefined();
    await expect(get("https://other.example")).rejects.toThrow(/altnames/);
    await expect(get(URL_OF_MACHINE, "", [])).rejects.toThrow(/self-signed/);
  });

  test("a proxy that refuses is an error", async () => {
    await expect(get("https://refused.example")).rejects.toThrow("the proxy answered 407");
  });
});
