/** Our client against OpenEnv's real servers on loopback, its messages held against those of OpenEnv's own client. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { EnvClient, type EnvError } from "../../../src/boxd/openenv/index.ts";
import { plainEnv, ROOT } from "../../cli/built.ts";
import { answers } from "../../support/programs.ts";
import { thrown } from "./rig.ts";

const PYTHON = process.env["QM_DEPLOY_PEERS_PYTHON"] ?? "";
const hasPython = PYTHON !== "" && answers(PYTHON, ["-c", "import openenv, fastmcp, uvicorn"]);
const needs = hasPython ? "" : " (skipped: needs QM_DEPLOY_PEERS_PYTHON with openenv)";
/** A checkout of OpenEnv's `envs/echo_env`, which no package has. */
const ECHO = process.env["QM_DEPLOY_OPENENV_ECHO"] ?? "";

const OWN = join(ROOT, "python", "tests", "own_env");
const CALL = { type: "call_tool", tool_name: "echo_message", arguments: { message: "hello" } };

type Step = readonly ["reset" | "step" | "state", { readonly [field: string]: unknown }];
const COUNTING: readonly Step[] = [
  ["reset", { seed: 5, episode_id: "e-1" }],
  ["step", { add: 2 }],
  ["step", { add: 1.5, unknown: "ä\u2028" }],
  ["step", { fail: "out of cheese" }],
  ["state", {}],
  ["step", { add: 3, metadata: { by: "a test" } }],
  ["reset", { episode_id: "e-2" }],
  ["state", {}],
];
const TOOLS: readonly Step[] = [
  ["reset", { episode_id: "e-1" }],
  ["step", CALL],
  ["step", { type: "list_tools" }],
  ["step", { ...CALL, tool_name: "no_such_tool" }],
  ["step", { ...CALL, arguments: { wrong: 1 } }],
  ["step", { message: "hello" }],
  ["state", {}],
];

describe.skipIf(!hasPython)(`our client and OpenEnv's servers${needs}`, () => {
  let count: Server;
  let tools: Server;
  beforeAll(async () => {
    [count, tools] = await Promise.all([Server.start(OWN, "app:app"), Server.start(OWN, "tools_app:app")]);
  }, 300_000);
  afterAll(() => {
    count.end();
    tools.end();
  });

  test.each([
    ["an environment with steps", () => count, COUNTING],
    ["an environment with tools", () => tools, TOOLS],
  ] as const)("%s gets and gives the same messages as with OpenEnv's client", async (_what, server, script) => {
    const theirs = await recorded(server().url, (url) => playTheirs(url, script));
    const ours = await recorded(server().url, (url) => play(url, script));
    expect(theirs.length).toBe(script.length * 2 + 1);
    expect(ours).toEqual(theirs);
  });

  test("what a real server answers arrives whole: observation, reward, end, metadata, state", async () => {
    await using env = await connected(count.url);
    expect(await env.reset({ seed: 8, episode_id: "e-1" })).toEqual({
      observation: { total: 8, greeting: null, metadata: { episode: "e-1" } },
      reward: null,
      done: false,
      metadata: { episode: "e-1" },
    });
    expect(await env.step({ add: 2 })).toMatchObject({ observation: { total: 10 }, reward: 2, done: true });
    expect(await env.state()).toEqual({ episode_id: "e-1", step_count: 1 });
  });

  test("a server's errors keep their list, and the session goes on", async () => {
    await using env = await connected(count.url);
    await env.reset();
    const invalid = (await thrown(env.step({ add: "many", colour: 1 }))) as EnvError;
    expect(invalid).toMatchObject({ code: "VALIDATION_ERROR", message: "the environment refused: Invalid message" });
    expect(invalid.details["errors"]).toMatchObject([{ loc: ["add"] }, { loc: ["colour"], type: "extra_forbidden" }]);
    const failed = (await thrown(env.step({ fail: "out of cheese" }))) as EnvError;
    expect([failed.code, failed.message, failed.details]).toEqual([
      "EXECUTION_ERROR",
      "the environment refused: out of cheese",
      {},
    ]);
    expect(await env.step({ add: 1 })).toMatchObject({ reward: 1 });
  });

  test("a server that is full says so, to who connects as to who asks", async () => {
    await using first = await connected(count.url);
    await using second = await connected(count.url);
    await Promise.all([first.reset(), second.reset()]);
    const third = new EnvClient(count.url);
    await third.connect();
    expect(await thrown(third.reset())).toMatchObject({
      code: "CAPACITY_REACHED",
      details: { active_sessions: 2, max_sessions: 2 },
    });
    await third.close();
  });

  test("tools are listed and called beside the steps", async () => {
    await using env = await connected(count.url);
    await env.reset();
    expect(await env.mcp("tools/list")).toMatchObject({ tools: [{ name: "echo_message" }] });
    const call = { name: "echo_message", arguments: { message: "from a tool" } };
    expect(await env.mcp("tools/call", call)).toMatchObject({ data: "from a tool", is_error: false });
    expect(await thrown(env.mcp("no/such"))).toMatchObject({
      code: "MCP_ERROR",
      message: "the environment's tools refused: Method not found: no/such",
      details: { code: -32_601 },
    });
    expect((await env.state())["step_count"]).toBe(0);
  });

  test("the documented step is answered as the example says", async () => {
    await using env = await connected(tools.url);
    await env.reset();
    const { observation } = await env.step(CALL);
    expect(observation).toMatchObject({ tool_name: "echo_message", error: null, result: { data: "hello" } });
  });

  test.skipIf(!existsSync(join(ECHO, "server", "app.py")))(
    "OpenEnv's own echo environment answers the documented step (skipped without QM_DEPLOY_OPENENV_ECHO)",
    async () => {
      const echo = await Server.start(ECHO, "server.app:app");
      try {
        const theirs = await recorded(echo.url, (url) => playTheirs(url, TOOLS));
        expect(await recorded(echo.url, (url) => play(url, TOOLS))).toEqual(theirs);
        await using env = await connected(echo.url);
        await env.reset();
        expect((await env.step(CALL)).observation).toMatchObject({ result: { data: "hello" } });
      } finally {
        echo.end();
      }
    },
  );
});

async function connected(url: string): Promise<EnvClient> {
  const client = new EnvClient(url);
  await client.connect();
  return client;
}

async function play(url: string, script: readonly Step[]): Promise<void> {
  await using env = await connected(url);
  for (const [what, data] of script) {
    const asked = what === "state" ? env.state() : env[what](data);
    // Errors of the server are a part of the script.
    await asked.catch(() => undefined);
  }
}

async function playTheirs(url: string, script: readonly Step[]): Promise<void> {
  const words = [join(import.meta.dirname, "frames.py"), url, JSON.stringify(script), join(OWN, "..")];
  await promisify(execFile)(PYTHON, words, { env: plainEnv() });
}

/** Every message of the sessions that are played through a socket in the middle, parsed, in order. */
async function recorded(target: string, session: (url: string) => Promise<void>): Promise<unknown[]> {
  const messages: unknown[] = [];
  const between = new WebSocketServer({ host: "127.0.0.1", port: 0, path: "/ws" });
  const over = new Promise<void>((resolve) => {
    between.once("connection", (near) => {
      const far = new WebSocket(`${target.replace(/^http/, "ws")}/ws`);
      const early: string[] = [];
      near.on("message", (data) => {
        const text = String(data);
        messages.push({ to: JSON.parse(text) as unknown });
        if (far.readyState === WebSocket.OPEN) far.send(text);
        else early.push(text);
      });
      far.on("open", () => early.forEach((text) => far.send(text)));
      far.on("message", (data) => {
        messages.push({ from: JSON.parse(String(data)) as unknown });
        near.send(String(data));
      });
      far.on("close", () => near.close(1000));
      near.on("close", () => {
        far.close(1000);
        resolve();
      });
    });
  });
  await new Promise((resolve) => {
    between.once("listening", resolve);
  });
  const { port } = between.address() as AddressInfo;
  await session(`http://127.0.0.1:${port}`);
  await over;
  between.close();
  return messages;
}

/** A server of OpenEnv as a process. */
class Server {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(directory: string, app: string): Promise<Server> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const words = ["-m", "uvicorn", app, "--host", "127.0.0.1", "--port", String(port)];
    const env = plainEnv({ PYTHONPATH: directory, PYTHONDONTWRITEBYTECODE: "1" });
    const child = spawn(PYTHON, words, { cwd: directory, env, stdio: "ignore" });
    while (!(await isUp(url))) {
      if (child.exitCode !== null) throw new Error(`the server of ${app} has ended`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return new Server(url, child);
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
