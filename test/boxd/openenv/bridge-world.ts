import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { DOMAIN, FakePlane, realPlaneClock, TEST_KEY } from "../../support/boxd-fake/index.ts";
import { NEWEST } from "../../support/boxd-wire/newest.ts";
import { WirePlane } from "../../support/boxd-wire/server.ts";
import { BIN, plainEnv, ROOT } from "../../cli/built.ts";
import { certificate, Front } from "./front.ts";

/** A program of this computer that a machine's docker runs for an image. */
export interface ProgramImage {
  readonly directory: string;
  /** with 8000 where its port is to stand */
  readonly command: readonly string[];
}

/**
 * boxd for programs in processes of their own: a plane behind the wire, machines with docker, and the way to their https addresses. That way is a proxy, as in a
 * company's network: names of machines lead nowhere but through it.
 */
export class BridgeWorld implements AsyncDisposable {
  readonly plane: FakePlane;
  /** a folder for what a test makes; removed at the end */
  readonly directory: string;
  /** what a child process needs to find all of it, `qm-deploy` on its PATH included */
  readonly env: { readonly [name: string]: string };
  readonly #wire: WirePlane;
  readonly #front: Front;
  readonly #proxy: Proxy;

  private constructor(directory: string, plane: FakePlane, wire: WirePlane, front: Front, proxy: Proxy) {
    this.directory = directory;
    this.plane = plane;
    this.#wire = wire;
    this.#front = front;
    this.#proxy = proxy;
    const authority = join(directory, "authority.pem");
    writeFileSync(authority, certificate().cert);
    const path = join(directory, "bin");
    writeProgram(
      join(path, "qm-deploy"),
      `exec '${process.execPath}' --import '${sdkHooks(directory)}' -- '${BIN}' "$@"`,
    );
    this.env = {
      ...plainEnv(),
      PATH: `${path}:${process.env["PATH"] ?? ""}`,
      BOXD_API_KEY: TEST_KEY,
      BOXD_BASE_URL: wire.address,
      https_proxy: proxy.address,
      no_proxy: "127.0.0.1,localhost",
      SSL_CERT_FILE: authority,
      NODE_EXTRA_CA_CERTS: authority,
    };
  }

  /** `python` is the interpreter whose programs containers find on their PATH. */
  static async start(python: string, images: { readonly [image: string]: ProgramImage }): Promise<BridgeWorld> {
    const directory = mkdtempSync(join(tmpdir(), "openenv-world-"));
    const imagesFile = join(directory, "images.json");
    writeFileSync(imagesFile, JSON.stringify(images));
    const docker = [
      "#!/bin/sh",
      `export DOCKER_IMAGES='${imagesFile}' PATH="${dirname(python)}:$PATH"`,
      `exec node '${join(import.meta.dirname, "docker-stand-in.mjs")}' "$@"`,
    ].join("\n");
    const plane = new FakePlane({ tools: { docker }, quirks: NEWEST, clock: realPlaneClock });
    const front = await Front.start(plane);
    return new BridgeWorld(directory, plane, await WirePlane.open(plane), front, await Proxy.start(front));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy.end();
    await this.#front[Symbol.asyncDispose]();
    await this.#wire.close();
    await this.plane.dispose();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A module for `node --import` with which `@boxd-sh/sdk` is the one that speaks to the plane's wire. */
function sdkHooks(directory: string): string {
  const sdk = join(directory, "sdk");
  execFileSync(process.execPath, [join(ROOT, "test/support/boxd-wire/make-sdk.mjs"), sdk]);
  const hooks = pathToFileURL(join(ROOT, "test/support/boxd-sdk-stand-in/hooks.mjs")).href;
  const url = pathToFileURL(join(sdk, "index.mjs")).href;
  const register = join(directory, "register.mjs");
  const call = `register(${JSON.stringify(hooks)}, { data: ${JSON.stringify({ url })} });`;
  writeFileSync(register, `import { register } from "node:module";\n${call}\n`);
  return register;
}

function writeProgram(file: string, script: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** Leads CONNECT for every machine's name to the front. */
class Proxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(front: Front) {
    this.#server = createServer((_request, response) => void response.writeHead(405).end());
    this.#server.on("connect", (request, socket: Socket) => {
      if (!(request.url ?? "").endsWith(`.${DOMAIN}:443`)) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      const inner = connect(front.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        socket.pipe(inner).pipe(socket);
      });
      for (const [one, other] of [
        [socket, inner],
        [inner, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on("error", () => other.destroy());
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
      return undefined;
    });
  }

  static async start(front: Front): Promise<Proxy> {
    const proxy = new Proxy(front);
    await new Promise<void>((resolve) => {
      proxy.#server.listen(0, "127.0.0.1", resolve);
    });
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}
