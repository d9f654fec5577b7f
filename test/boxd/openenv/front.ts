import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server, type TLSSocket } from "node:tls";
import { DOMAIN, type FakePlane } from "../../support/boxd-fake/index.ts";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

let made: { key: string; cert: string } | undefined;

/** A certificate for every machine of the fake plane, of this run alone. */
export function certificate(): { key: string; cert: string } {
  if (made !== undefined) return made;
  const dir = mkdtempSync(join(tmpdir(), "openenv-ca-"));
  const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
  const how = [
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=test",
  ];
  execFileSync("openssl", ["req", ...how, "-addext", `subjectAltName=DNS:*.${DOMAIN}`, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  made = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(dir, { recursive: true });
  return made;
}

/** boxd's edge: TLS for `https://<machine>.<zone>` on loopback, passed on to what the machine's container listens on, while the machine runs. */
export class Front implements AsyncDisposable {
  readonly #plane: FakePlane;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  private constructor(plane: FakePlane) {
    this.#plane = plane;
    this.#server = createServer(certificate(), (socket) => this.#serve(socket));
  }

  static async start(plane: FakePlane): Promise<Front> {
    const front = new Front(plane);
    await new Promise<void>((resolve) => {
      front.#server.listen(0, "127.0.0.1", resolve);
    });
    front.#port = (front.#server.address() as AddressInfo).port;
    return front;
  }

  get port(): number {
    return this.#port;
  }

  /** Leads every name to this front and trusts its certificate; names are still checked against it. */
  agent(): Agent {
    const agent = new Agent({ ca: certificate().cert });
    const create = agent.createConnection.bind(agent);
    agent.createConnection = (options, done) => create({ ...options, host: "127.0.0.1", port: this.#port }, done);
    return agent;
  }

  /** Cuts what leads into a machine, as its end does. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #serve(socket: TLSSocket): void {
    this.#keep(socket);
    const port = this.#portOf(String(Reflect.get(socket, "servername")));
    if (port === null) {
      socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
      return;
    }
    const inner = connect(port, "127.0.0.1");
    this.#keep(inner);
    socket.pipe(inner).pipe(socket);
    socket.on("close", () => inner.destroy());
    inner.on("close", () => socket.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
  }

  /** A route that was not tied to 8000 would follow whatever else listens: then there is none here. */
  #portOf(host: string): number | null {
    const machine = this.#plane.survivors().find(({ name }) => `${name}.${DOMAIN}` === host);
    if (machine === undefined || machine.status !== "running") return null;
    const route = this.#plane.routes(machine).list()[0];
    if (route?.portMode !== "locked" || route.port !== 8000) return null;
    try {
      return Number(readFileSync(join(machine.disk.home, ".docker", "port"), "utf8"));
    } catch {
      return null;
    }
  }
}
