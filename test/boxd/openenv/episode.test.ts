/** Whole episodes over TLS: plane, machine, container, WebSocket. */
import { Agent } from "node:https";
import { Duplex } from "node:stream";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BoxdProvider, EnvClient } from "../../../src/boxd/openenv/index.ts";
import { fastClock, type ManualClock } from "../../support/boxd-fake/index.ts";
import { cannotRun, needs, Rig, thrown } from "./rig.ts";

describe.skipIf(cannotRun)(`episodes${needs}`, () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });
  afterEach(async () => {
    await rig[Symbol.asyncDispose]();
    // O24: whatever the test did.
    expect(rig.plane.survivors()).toEqual([]);
    expect(rig.plane.processes()).toEqual([]);
  });

  test("O21 O23 a round trip through a client that owns the provider: 101, reset, step, state, close", async () => {
    const provider = rig.provider({ envVars: { GREETING: "hello there" } });
    const client = await EnvClient.fromProvider(provider, { connection: rig.connection });
    expect(await client.reset({ episode_id: "e-1" })).toEqual({
      observation: { ready: true },
      reward: null,
      done: false,
      metadata: null,
    });
    expect(await client.step({ message: "abc" })).toMatchObject({
      observation: { echo: "abc" },
      reward: 3,
      done: false,
    });
    expect(await client.step({ message: "end" })).toMatchObject({ done: true });
    expect(await client.state()).toEqual({ episode_id: "e-1", step_count: 2, greeting: "hello there" });
    await client.close();
    await client.close();
    expect(rig.plane.survivors()).toEqual([]);
  });

  test("O23 a second session is an environment of its own, and errors of the server keep the session open", async () => {
    await using provider = rig.provider();
    const base = await provider.startContainer();
    await provider.waitForReady(base);
    await using first = new EnvClient(base, { connection: rig.connection });
    await using second = new EnvClient(base, { connection: rig.connection });
    await Promise.all([first.connect(), second.connect()]);
    await first.reset();
    expect(await thrown(first.step({}))).toMatchObject({ name: "EnvError", code: "VALIDATION_ERROR" });
    const [a, b] = await Promise.all([first.step({ message: "one" }), first.step({ message: "three" })]);
    expect([a.reward, b.reward], "one after the other").toEqual([3, 5]);
    expect([(await first.state())["step_count"], (await second.state())["step_count"]]).toEqual([2, 0]);
  });

  test("O23 connecting twice at once is one session, closing meanwhile leaves none, and what is not JSON fails alone", async () => {
    await using provider = rig.provider();
    const base = await provider.startContainer();
    await provider.waitForReady(base);
    let connections = 0;
    const { agent } = rig.connection as { agent: Agent };
    const create = agent.createConnection.bind(agent);
    agent.createConnection = (...args) => {
      connections += 1;
      return create(...args);
    };
    const client = new EnvClient(base, { connection: rig.connection, messageTimeoutMs: 2_000 });
    await Promise.all([client.connect(), client.connect()]);
    expect(connections).toBe(1);
    await expect(client.step({ message: 1n })).rejects.toThrow(TypeError);
    expect(await client.step({ message: "abc" })).toMatchObject({ reward: 3 });
    await client.close();
    const connecting = client.connect();
    await client.close();
    await connecting;
    await expect(client.state()).rejects.toThrow("not connected");
  });

  test("O23 tools are asked beside the steps; errors keep what else the server said; a full server says so before it closes", async () => {
    await using provider = rig.provider();
    const base = await provider.startContainer();
    await provider.waitForReady(base);
    await using client = new EnvClient(base, { connection: rig.connection });
    await client.connect();
    expect(await client.mcp("tools/list")).toEqual({ tools: [{ name: "echo_message" }] });
    expect(await client.mcp("tools/call", { name: "echo_message", arguments: { message: "abc" } })).toMatchObject({
      data: "abc",
    });
    expect(await thrown(client.mcp("no/such"))).toMatchObject({
      code: "MCP_ERROR",
      details: { code: -32_601, message: "Method not found: no/such" },
    });
    expect(await thrown(client.step({}))).toMatchObject({ details: { errors: [{ loc: ["message"] }] } });
    await provider.stopContainer();
    const full = await provider.startContainer("full:1");
    await provider.waitForReady(full);
    await using refused = new EnvClient(full, { connection: rig.connection });
    await refused.connect();
    expect(await thrown(refused.reset())).toMatchObject({
      code: "CAPACITY_REACHED",
      details: { active_sessions: 1, max_sessions: 1 },
    });
  });

  test("a container outlives its provider, and is taken up by its handle alone", async () => {
    const first = rig.provider({ envVars: { GREETING: "hello" } });
    await first.startContainer();
    const { baseUrl, machineId, expiresAt } = first;
    const handle = await first.detach();
    expect(() => first.baseUrl).toThrow("no container is started");
    await first.close();
    expect(rig.plane.survivors().map(({ id }) => id)).toEqual([machineId]);
    const options = rig.options();
    const second = BoxdProvider.attach(options, { handle });
    expect([second.baseUrl, second.machineId, second.expiresAt]).toEqual([baseUrl, machineId, expiresAt]);
    await second.waitForReady(second.baseUrl);
    expect(await thrown(second.startContainer())).toMatchObject({ code: "ALREADY_STARTED" });
    await second.close();
    expect(rig.plane.survivors()).toEqual([]);
    for (const wrong of ["", "openenv1.", `${handle}A`, handle.replace("openenv1", "openenv2"), "openenv1.W10"])
      expect(() => BoxdProvider.attach(options, { handle: wrong }), wrong).toThrow(TypeError);
  });

  test.each([
    "http://192.0.2.1:8000",
    "http://localhost.example",
    "http://127.0.0.1.example",
    "ws://127.0.0.1",
    "nothing",
  ])("O23 a client refuses %s: only https, and http on loopback", (url) => {
    expect(() => new EnvClient(url)).toThrow("the base URL must be an https address, or http on loopback");
  });

  test.each(["http://127.0.0.1:8000", "http://localhost:8000/", "http://[::1]:8000", "https://x.example"])(
    "O23 a client takes %s",
    (url) => {
      expect(() => new EnvClient(url)).not.toThrow();
    },
  );

  test.each([{ messageTimeoutMs: Infinity }, { connectTimeoutMs: 0 }, { pingIntervalMs: 2 ** 31 }])(
    "O23 %j is refused: Node's timers would fire at once",
    (options) => {
      expect(() => new EnvClient("https://x.example", options)).toThrow(RangeError);
    },
  );

  test("O16 a container that exits at once ends the wait, without its output and without its address", async () => {
    const provider = rig.provider();
    const base = await provider.startContainer("exits:latest");
    const error = await thrown(provider.waitForReady(base, { timeoutMs: 60_000 }));
    expect(error).toMatchObject({ code: "CONTAINER_EXITED", message: expect.not.stringContaining("boot failed") });
    expect(String(error.stack)).not.toContain(rig.machine().name);
  });

  test("O16 a 200 that comes after the deadline is not ready", async () => {
    const clock = fastClock(1);
    let late = 0;
    const provider = rig.provider({ clock: { ...clock, now: () => clock.now() + late } });
    const base = await provider.startContainer();
    await provider.waitForReady(base);
    const { agent } = rig.connection as { agent: Agent };
    const create = agent.createConnection.bind(agent);
    agent.createConnection = (...args) => {
      late = 60_000;
      return create(...args);
    };
    expect(await thrown(provider.waitForReady(base, { timeoutMs: 50_000 }))).toMatchObject({ code: "NOT_READY" });
  });

  test("O16 an address that does not answer leaves time to see that the container is over, exited or dead", async () => {
    const agent = new Agent();
    agent.createConnection = () => new Duplex({ read: () => undefined, write: () => undefined });
    for (const image of ["exits", "dead"]) {
      const provider = rig.provider({ image, clock: fastClock(5), connection: { agent } });
      expect(await thrown(provider.waitForReady(await provider.startContainer()))).toMatchObject({
        code: "CONTAINER_EXITED",
      });
    }
  });

  test("O16 a wait ends when its caller gives up, or the machine is stopped", async () => {
    const provider = rig.provider({ image: "sick" });
    const base = await provider.startContainer();
    const controller = new AbortController();
    const waiting = thrown(provider.waitForReady(base, { signal: controller.signal }));
    controller.abort();
    expect(await waiting).toMatchObject({ code: "ABORTED" });
    const second = thrown(provider.waitForReady(base));
    await provider.close();
    await provider.close();
    expect(await second).toMatchObject({ code: "MACHINE_GONE" });
  });

  test("O16 a certificate that nobody vouches for is never ready, and no host is named", async () => {
    const { agent } = rig.connection as { agent: Agent };
    agent.options.ca = [];
    const provider = rig.provider();
    const base = await provider.startContainer();
    const failed = await thrown(provider.waitForReady(base, { timeoutMs: 1_000 }));
    const refused = await thrown(new EnvClient(base, { connection: rig.connection }).connect());
    expect([failed.code, refused.code]).toEqual(["NOT_READY", "CONNECTION_FAILED"]);
    expect(inspect([failed, refused, provider], { depth: Infinity, showHidden: true })).not.toContain(
      rig.machine().name,
    );
  });

  test.each([0, -1, Number.NaN, Infinity])("O16 %d ms are no time to wait", async (timeoutMs) => {
    expect(await thrown(rig.provider().waitForReady("https://x.example", { timeoutMs }))).toMatchObject({
      name: "RangeError",
    });
  });

  test("O17 with surfaceServerLogs its output is shown, environment and host masked", async () => {
    const provider = rig.provider({ surfaceServerLogs: true, envVars: { GREETING: "s3cret-greeting" } });
    const base = await provider.startContainer("exits:latest");
    const { message } = await thrown(provider.waitForReady(base));
    expect(message).toContain("boot failed [redacted]");
    expect(message).not.toContain("s3cret-greeting");
  });

  test("O23 E-17 E-18 a healthy server without /ws is ready, and no environment: the client says so and everything is stopped once", async () => {
    const provider = rig.provider({ image: "no-ws:latest" });
    expect(await thrown(EnvClient.fromProvider(provider, { connection: rig.connection }))).toMatchObject({
      name: "EnvError",
      code: "NO_UPGRADE",
    });
    expect(rig.plane.survivors()).toEqual([]);
    expect(rig.plane.recorder.of("machines.delete")).toHaveLength(1);
  });

  test("O16 a server that never becomes healthy: NOT_READY at the end of the deadline", async () => {
    const provider = rig.provider();
    const base = await provider.startContainer("sick:latest");
    expect(await thrown(provider.waitForReady(base, { timeoutMs: 700 }))).toMatchObject({
      code: "NOT_READY",
      message: "the server was not ready within 700 ms",
    });
  });

  test("O22 three environments side by side", async () => {
    const clients = await Promise.all(
      ["a", "b", "c"].map((name) =>
        EnvClient.fromProvider(rig.provider({ envVars: { GREETING: name } }), { connection: rig.connection }),
      ),
    );
    expect(rig.plane.survivors()).toHaveLength(3);
    const states = await Promise.all(clients.map(async (client) => (await client.reset(), client.state())));
    expect(states.map((state) => state["greeting"])).toEqual(["a", "b", "c"]);
    await clients[1]?.close();
    expect(await clients[0]?.step({ message: "still" })).toMatchObject({ reward: 5 });
    await Promise.all(clients.map((client) => client.close()));
  });

  test("E-22 the machine is deleted by its timer mid-episode: the step fails, the wait says so, stopping is fine", async () => {
    const provider = rig.provider({ deleteAfterSeconds: 600 });
    const client = await EnvClient.fromProvider(provider, { connection: rig.connection });
    await client.reset();
    const base = provider.baseUrl;
    await (rig.plane.clock as ManualClock).advance(600_000);
    const error = await thrown(client.step({ message: "x" }));
    expect(error).toMatchObject({ name: "EnvError", code: "CONNECTION_LOST" });
    expect(error.message).not.toContain(new URL(base).host);
    expect(await thrown(provider.waitForReady(base, { timeoutMs: 20_000 }))).toMatchObject({ code: "MACHINE_GONE" });
    await client.close();
  });

  test("E-37 a step that is never answered ends the session in its time", async () => {
    await using client = await EnvClient.fromProvider(rig.provider(), {
      connection: rig.connection,
      messageTimeoutMs: 200,
    });
    expect(await thrown(client.step({ hang: true }))).toMatchObject({ code: "TIMEOUT" });
    expect(await thrown(client.state()), "a late answer cannot be taken for another").toMatchObject({
      code: "TIMEOUT",
    });
  });
});
