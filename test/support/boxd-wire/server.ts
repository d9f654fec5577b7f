import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { PortViolation, type BoxdError, type FakePlane } from "../boxd-fake/index.ts";
import { HANDLERS } from "./calls.ts";
import { METHODS, type Message } from "./codec.ts";
import { control } from "./control.ts";
import { frame, messagesOf } from "./frames.ts";
import { Tokens } from "./tokens.ts";

/** One message that is sent to boxd. */
const MESSAGE_CAP = 4_194_304;
const GRPC = { ":status": 200, "content-type": "application/grpc" };

/** The plane's other door: gRPC over plain HTTP/2, and on the same port the token exchange over HTTP/1. */
export class WirePlane {
  readonly plane: FakePlane;
  readonly tokens: Tokens;
  /** `http://127.0.0.1:<port>` once it is open */
  address = "";
  readonly #sockets = new Set<Socket>();
  readonly #tcp = createServer((socket) => {
    this.#accept(socket);
  });
  readonly #http = createHttpServer((request, response) => {
    void this.#answer(request, response);
  });
  readonly #http2 = createHttp2Server();

  private constructor(plane: FakePlane) {
    this.plane = plane;
    this.tokens = new Tokens(plane.apiKeys);
    this.#http2.on("stream", (stream, headers) => {
      void this.#call(stream, headers);
    });
    this.#http2.on("sessionError", () => undefined);
  }

  /** Listens on 127.0.0.1. The plane stays the caller's to dispose of. */
  static async open(plane: FakePlane, port = 0): Promise<WirePlane> {
    const wire = new WirePlane(plane);
    await new Promise<void>((resolve, reject) => {
      wire.#tcp.on("error", reject);
      wire.#tcp.listen(port, "127.0.0.1", resolve);
    });
    wire.address = `http://127.0.0.1:${String((wire.#tcp.address() as AddressInfo).port)}`;
    return wire;
  }

  /** Breaks every connection, as a server that is replaced does. New ones are taken. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#tcp.close(resolve));
    this.dropConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** What a connection begins with tells HTTP/2 (with prior knowledge) from HTTP/1. */
  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.once("data", (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      const isHttp2 = first.subarray(0, 3).toString("latin1") === "PRI";
      (isHttp2 ? this.#http2 : this.#http).emit("connection", socket);
      // HTTP/2 takes over the socket's handle, what was put back included; resumed, it would get the rest twice.
      if (!isHttp2) socket.resume();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === "/api/v1/auth/token") await this.tokens.exchange(request, response);
    else await control(this, request, response);
  }

  async #call(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const gone = new AbortController();
    stream.on("error", () => undefined);
    stream.on("close", () => {
      gone.abort();
    });
    try {
      const name = (headers[":path"] ?? "").split("/").at(-1) ?? "";
      const method = METHODS.get(name);
      const handler = HANDLERS[name];
      if (method === undefined || handler === undefined || method.path !== headers[":path"])
        throw Object.assign(new Error(`unknown method ${name}`), { grpcCode: 12 });
      const apiKey = this.tokens.keyOf(headers["authorization"] as string | undefined);
      await handler({
        plane: this.plane,
        apiKey,
        messages: decoded(messagesOf(stream.iterator({ destroyOnReturn: false }), MESSAGE_CAP), method.decodeRequest),
        send: (message) => send(stream, method.encodeResponse(message)),
        gone: gone.signal,
      });
      finish(stream, 0, "");
    } catch (error) {
      const { grpcCode, message } = error as Partial<BoxdError>;
      // A call that the port does not know is a request that boxd refuses.
      finish(stream, grpcCode ?? (error instanceof PortViolation ? 3 : 2), message ?? "");
    }
  }
}

async function* decoded(frames: AsyncIterable<Buffer>, decode: (bytes: Buffer) => Message): AsyncGenerator<Message> {
  for await (const bytes of frames) yield decode(bytes);
}

function begin(stream: ServerHttp2Stream): void {
  if (!stream.headersSent && !stream.destroyed) stream.respond(GRPC, { waitForTrailers: true });
}

async function send(stream: ServerHttp2Stream, message: Buffer): Promise<void> {
  begin(stream);
  // Calls back in any case, with an error where the receiver is gone.
  if (stream.writable) await new Promise((resolve) => stream.write(frame(message), resolve));
}

/** gRPC's own percent-encoding, of everything but printable ASCII and of the sign itself. */
function percentEncoded(message: string): string {
  return Buffer.from(message)
    .toString("latin1")
    .replace(/[^ -~]|%/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/** Status and message go into the trailers. */
function finish(stream: ServerHttp2Stream, code: number, message: string): void {
  if (stream.destroyed) return;
  begin(stream);
  stream.on("wantTrailers", () => {
    stream.sendTrailers({ "grpc-status": String(code), "grpc-message": percentEncoded(message) });
  });
  // What the caller still sends concerns nobody any more.
  stream.resume();
  stream.end();
}
