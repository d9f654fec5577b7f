import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CapabilityUnsupportedError, requireCapability, supports } from "../../../src/boxd/qm-sandbox/index.ts";
import { needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

const SECRET = "capability-canary-secret";

/** The claims of a token, if the secret signed it and it has not run out: read as RFC 7515 says, not with the code that made it. */
function claimsOf(token = ""): Record<string, unknown> | undefined {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const expected = createHmac("sha256", SECRET).update(`${header}.${payload}`).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "base64url"))) return undefined;
  const { alg } = JSON.parse(Buffer.from(header, "base64url").toString()) as { alg: string };
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  return alg === "HS256" && Number(claims["exp"]) > Date.now() ? claims : undefined;
}

/** Core's blob routes, as far as a machine uses them. */
class BlobServer {
  readonly blobs = new Map<string, Buffer>();
  readonly seen: { method: string; token: string | undefined; sum: string | undefined }[] = [];
  answer: { status: number; body?: string } | undefined;
  /** ends the connection in the middle of the body */
  breaks = false;
  /** the address that each request asked for, whole when it came as to a proxy */
  readonly urls: string[] = [];
  readonly #server: Server = createServer((request, response) => {
    void this.#handle(request).then(({ status, body }) => {
      if (!this.breaks) return response.writeHead(status).end(body);
      response.writeHead(status, { "content-length": 1_000_000 });
      return response.write("only the beginning", () => request.socket.destroy());
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Forgets what earlier tests asked of it; blobs stay. */
  reset(): void {
    this.answer = undefined;
    this.breaks = false;
    this.seen.length = 0;
    this.urls.length = 0;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage): Promise<{ status: number; body?: string | Buffer }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    this.seen.push({
      method,
      token: headers["x-agent-capability"] as string | undefined,
      sum: headers["x-content-sha256"] as string | undefined,
    });
    this.urls.push(url);
    if (this.answer !== undefined) return this.answer;
    if (method === "POST") {
      const id = `blob-${String(this.blobs.size + 1)}`;
      this.blobs.set(id, Buffer.concat(chunks));
      return { status: 201, body: JSON.stringify({ blobId: id }) };
    }
    const blob = this.blobs.get(decodeURIComponent(url.replace(/^.*\/v1\/blobs\//, "")));
    return blob === undefined ? { status: 404 } : { status: 200, body: blob };
  }
}

describe.skipIf(skipWithoutProcesses)(`Q22 blob staging${needsProcesses}`, () => {
  let server: BlobServer;
  let apiBaseUrl: string;
  beforeAll(async () => {
    server = new BlobServer();
    apiBaseUrl = await server.start();
  });
  afterAll(() => {
    server.stop();
  });

  async function staged<T>(
    use: (rig: Rig, sandbox: ReturnType<typeof requireCapability<"blob staging">>) => Promise<T>,
  ): Promise<T> {
    server.reset();
    await using rig = new Rig({
      blobTransfer: {},
      apiBaseUrl: `${apiBaseUrl}/`,
      signingSecret: "not this one",
      capabilitySecret: SECRET,
    });
    return await use(rig, requireCapability(rig.sandbox, "blob staging"));
  }

  test("is offered only when it is wired", async () => {
    const wired = { blobTransfer: {}, apiBaseUrl, capabilitySecret: SECRET };
    const { capabilitySecret: _, ...unsigned } = wired;
    for (const part of [{}, unsigned, { ...wired, apiBaseUrl: "" }, { apiBaseUrl, capabilitySecret: SECRET }]) {
      await using rig = new Rig(part);
      expect([supports(rig.sandbox, "blob staging"), "stageIn" in rig.sandbox]).toEqual([false, false]);
      expect(() => requireCapability(rig.sandbox, "blob staging")).toThrow(CapabilityUnsupportedError);
    }
    await using signed = new Rig({ ...unsigned, signingSecret: SECRET });
    expect(supports(signed.sandbox, "blob staging")).toBe(true);
    await staged((_rig, sandbox) => {
      expect(supports(sandbox, "blob staging")).toBe(true);
      return Promise.resolve();
    });
  });

  test("takes files both ways by reference, with the token in the header and nowhere else", async () => {
    await staged(async (rig, sandbox) => {
      const handle = await rig.provision();
      const data = Buffer.alloc(300_000, "ab\0é");
      server.blobs.set("in/1 x", data);
      await sandbox.stageIn(handle, "sub dir/in.bin", "in/1 x");
      expect(Buffer.compare((await rig.sandbox.readFileBytes(handle, "sub dir/in.bin")) ?? Buffer.alloc(0), data)).toBe(
        0,
      );
      const id = await sandbox.stageOut(handle, "sub dir/in.bin");
      expect(Buffer.compare(server.blobs.get(id) ?? Buffer.alloc(0), data)).toBe(0);
      const [read, write] = server.seen;
      expect([read?.method, read?.sum, claimsOf(read?.token)?.["blob"]]).toEqual([
        "GET",
        undefined,
        { dir: "read", id: "in/1 x" },
      ]);
      const sum = createHash("sha256").update(data).digest("hex");
      expect([write?.method, write?.sum, claimsOf(write?.token)?.["blob"]]).toEqual(["POST", sum, { dir: "write" }]);
      for (const secret of [SECRET, read?.token ?? "", write?.token ?? ""])
        expect(rig.plane.recorder.leaksOf(secret)).toEqual([]);
      expect(await rig.sandbox.listDir(handle, "")).toEqual(["sub dir/in.bin"]);
    });
  });

  test("a download that fails leaves the old file and no part of the new one", async () => {
    await staged(async (rig, sandbox) => {
      const handle = await rig.provision();
      await rig.sandbox.writeFile(handle, "f", "old");
      const error = await sandbox.stageIn(handle, "f", "missing").then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      expect(error?.message).toMatch(/^boxd stageIn qm-.*404/);
      expect(error?.message).not.toContain(server.seen[0]?.token);
      expect(await rig.sandbox.readFile(handle, "f")).toBe("old");
      expect(await rig.sandbox.listDir(handle, "")).toEqual(["f"]);
    });
  });

  test("a download that breaks off in the middle leaves the old file too", async () => {
    await staged(async (rig, sandbox) => {
      const handle = await rig.provision();
      await rig.sandbox.writeFile(handle, "f", "old");
      server.blobs.set("b", Buffer.from("new"));
      server.breaks = true;
      await expect(sandbox.stageIn(handle, "f", "b")).rejects.toThrow("boxd stageIn");
      expect([await rig.sandbox.readFile(handle, "f"), await rig.sandbox.listDir(handle, "")]).toEqual(["old", ["f"]]);
    });
  });

  test("Q23 transfers go through the forced proxy as well", async () => {
    server.reset();
    server.blobs.set("b", Buffer.from("through"));
    await using rig = new Rig({
      egressProxyUrl: apiBaseUrl,
      blobTransfer: {},
      apiBaseUrl: "http://core.example",
      mintBlobToken: () => "another core's",
    });
    const handle = await rig.sandbox.provision([{ scopeId: "s", mountPath: "", mode: "rw" }], {
      egressToken: "egress",
    });
    const sandbox = requireCapability(rig.sandbox, "blob staging");
    await sandbox.stageIn(handle, "f", "b");
    await sandbox.stageOut(handle, "f");
    expect(server.urls).toEqual(["http://core.example/v1/blobs/b", "http://core.example/v1/blobs"]);
    expect(server.seen.map(({ token }) => token)).toEqual(["another core's", "another core's"]);
    expect(await rig.sandbox.readFile(handle, "f")).toBe("through");
  });

  test("an upload needs the file, and an answer that names the blob", async () => {
    await staged(async (rig, sandbox) => {
      const handle = await rig.provision();
      await expect(sandbox.stageOut(handle, "none")).rejects.toThrow(/^boxd stageOut qm-/);
      expect(server.seen).toEqual([]);
      await rig.sandbox.writeFile(handle, "f", "x");
      server.answer = { status: 200, body: "<html>" };
      await expect(sandbox.stageOut(handle, "f")).rejects.toThrow("not JSON");
      server.answer = { status: 200, body: "{}" };
      await expect(sandbox.stageOut(handle, "f")).rejects.toThrow("names no `blobId`");
      server.answer = { status: 413 };
      await expect(sandbox.stageOut(handle, "f")).rejects.toThrow("413");
    });
  });
});
