import { request as requestHttps } from "node:https";
import { isErrorKind, type Deadline } from "../driver/index.ts";
import type { Connection } from "./connection.ts";
import type { Docker } from "./docker.ts";
import { ProviderError } from "./container-provider.ts";

const HTTP_PROBE_MS = 5_000;
const EXEC_PROBE_MS = 30_000;
const LOGS_MS = 10_000;
const PAUSE_MS = 1_000;
const WAITING = "the server to answer /health";

/**
 * Resolves at the first 200 of `/health` that arrives within the deadline. Every probe and every pause is a part of it. A container that is over ends
 * the wait at once; `docker` is null for an address that is not the provider's own.
 */
export async function waitUntilHealthy(
  baseUrl: string,
  docker: Docker | null,
  connection: Connection,
  pauseMs: number,
  deadline: Deadline,
): Promise<void> {
  try {
    for (;;) {
      if ((await probe(baseUrl, connection, deadline)) === 200) {
        deadline.check(WAITING);
        return;
      }
      if (docker !== null) await assertAlive(docker, deadline);
      await deadline.sleep(Math.min(pauseMs, PAUSE_MS), WAITING);
    }
  } catch (error) {
    if (isErrorKind(error, "timeout"))
      throw new ProviderError("NOT_READY", `the server was not ready within ${Math.round(deadline.totalMs)} ms`);
    if (isErrorKind(error, "not-found"))
      throw new ProviderError("MACHINE_GONE", "the machine of the container is gone");
    throw error;
  }
}

async function probe(baseUrl: string, connection: Connection, deadline: Deadline): Promise<number | undefined> {
  const over = new AbortController();
  const limit = deadline.part(HTTP_PROBE_MS, WAITING);
  try {
    return await limit.race(WAITING, () => statusOf(`${baseUrl}/health`, connection, over.signal));
  } catch (error) {
    if (isErrorKind(error, "timeout")) return undefined;
    throw error;
  } finally {
    over.abort();
  }
}

async function assertAlive(docker: Docker, deadline: Deadline): Promise<void> {
  const limit = deadline.part(EXEC_PROBE_MS, WAITING);
  // `exec` may use a moment beyond its deadline to end what it started; that moment is not ours to spend.
  const state = await deadline.race(WAITING, () => docker.state(limit));
  // From these a container does not come back by itself.
  if (state !== "exited" && state !== "dead") return;
  const logs = deadline.remaining() > 0 ? await docker.logs(deadline.part(LOGS_MS, WAITING)) : "";
  throw new ProviderError("CONTAINER_EXITED", `the container has ended (${state}) before its server was ready${logs}`);
}

/** The status of a GET, or undefined when there was no answer before the signal. The body is not read. */
function statusOf(url: string, { agent }: Connection, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve) => {
    // By default a connection of its own: one that is kept alive may belong to a server that has gone.
    const request = requestHttps(url, { agent: agent ?? false, signal }, (response) => {
      response.on("error", () => undefined);
      response.destroy();
      resolve(response.statusCode);
    });
    request.on("error", () => resolve(undefined));
    request.end();
  });
}
