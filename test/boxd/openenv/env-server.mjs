/**
 * A small OpenEnv-compatible server: `node env-server.mjs <port file> <kind>`, kind `echo`, `full` (no session is admitted), `no-ws` or `sick`. It writes the port it
 * got. A call of the tool `echo_message` is answered as OpenEnv's echo environment does (frames.counterpart.test.ts), other steps in our own way.
 */
import { createServer } from "node:http";
import { renameSync, writeFileSync } from "node:fs";
import { WebSocketServer } from "ws";

const [, , portFile, kind] = process.argv;
const server = createServer((request, response) => {
  const isHealthy = request.url === "/health" && kind !== "sick";
  response.writeHead(isHealthy ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(isHealthy ? { status: "healthy" } : { detail: "Not Found" }));
});
if (kind !== "no-ws") {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (request.url !== "/ws") return void socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    return void sockets.handleUpgrade(request, socket, head, session);
  });
}

function session(socket) {
  const state = { episode_id: null, step_count: 0, greeting: process.env.GREETING ?? null };
  const answer = (type, data) => socket.send(JSON.stringify({ type, data }));
  const fail = (code, message, more = {}) => answer("error", { code, message, ...more });
  if (kind === "full") {
    fail("CAPACITY_REACHED", "full", { active_sessions: 1, max_sessions: 1 });
    return void socket.close(1000);
  }
  socket.on("message", (raw) => {
    let message;
    try {
      message = JSON.parse(String(raw));
    } catch {
      return fail("INVALID_JSON", "not JSON");
    }
    if (message.type === "close") return socket.close(1000);
    if (message.type === "state") return answer("state", state);
    if (message.type === "mcp") return answer("mcp", { jsonrpc: "2.0", id: message.data.id, ...rpc(message.data) });
    if (message.type === "reset") {
      Object.assign(state, { episode_id: message.data.episode_id ?? "episode", step_count: 0 });
      return answer("observation", { observation: { ready: true }, reward: null, done: false });
    }
    if (message.type !== "step") return fail("UNKNOWN_TYPE", `unknown type ${message.type}`);
    if (message.data.hang === true) return undefined;
    if (message.data.type === "call_tool") {
      state.step_count += 1;
      return answer("observation", calledTool(message.data));
    }
    if (typeof message.data.message !== "string")
      return fail("VALIDATION_ERROR", "Invalid message", { errors: [{ loc: ["message"], msg: "Field required" }] });
    state.step_count += 1;
    return answer("observation", {
      observation: { echo: message.data.message },
      reward: message.data.message.length,
      done: message.data.message === "end",
    });
  });
}

function echoed(text) {
  return { content: [{ type: "text", text }], structured_content: { result: text }, data: text, is_error: false };
}

function calledTool({ tool_name, arguments: given }) {
  const isKnown = tool_name === "echo_message";
  const error = isKnown ? null : { error_type: "tool_not_found", message: `Unknown tool: '${tool_name}'` };
  const observation = { metadata: {}, tool_name, result: isKnown ? echoed(given.message) : null, error };
  return { observation, reward: null, done: false };
}

function rpc({ method, params }) {
  if (method === "tools/list") return { result: { tools: [{ name: "echo_message" }] } };
  if (method === "tools/call") return { result: echoed(params.arguments.message) };
  return { error: { code: -32_601, message: `Method not found: ${method}`, data: null } };
}

server.listen(0, "127.0.0.1", () => {
  console.log(`listening, greeting ${process.env.GREETING ?? "none"}`);
  writeFileSync(`${portFile}.part`, String(server.address().port));
  renameSync(`${portFile}.part`, portFile);
});
