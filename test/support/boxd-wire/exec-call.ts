import { shownCall } from "../boxd-fake/exec-call.ts";
import { grpcError } from "../boxd-fake/index.ts";
import { sharedController } from "../boxd-fake/signals.ts";
import type { Message } from "./codec.ts";
import { firstMessage, idOf, type Handler } from "./handler.ts";

const CHUNK = 32 * 1024;

/**
 * One command. Output goes out as it comes; the last chunk has the exit status alone. Where the machine or a fault has lost the status, the stream ends
 * well without such a chunk: whoever takes the last chunk's status then reads 0 after any output, and none without.
 */
export const exec: Handler = async (incoming) => {
  const { plane, apiKey, messages, send, gone } = incoming;
  const first = await firstMessage(incoming);
  const id = idOf(first);
  if (first["tty"] === true) throw grpcError(12, "this plane has no terminals");
  if (first["command"] === "") throw grpcError(3, "command must be given");

  const abandoned = sharedController();
  gone.addEventListener("abort", () => {
    if (plane.quirks.deadlineKills) abandoned.abort();
  });
  let sending = Promise.resolve();
  const output = (bytes: Buffer, isStderr: boolean): void => {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const data = bytes.subarray(at, at + CHUNK);
      sending = sending.then(() => send({ data, is_stderr: isStderr }));
    }
  };
  const streams = { input: inputOf(messages), output, abandoned: abandoned.signal };
  const { caller } = plane.client({ apiKey });
  const exitCode = await shownCall(caller, id, first["command"] as string, streams);
  await sending;
  if (exitCode >= 0) await send({ exit_code: exitCode });
};

/** What the command reads: until the caller closes its half of the call. */
async function* inputOf(messages: AsyncIterator<Message>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done === true) return;
    if (value["stdin"] === true) yield value["data"];
  }
}
