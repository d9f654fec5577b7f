import { grpcError, type FakeBoxd } from "../boxd-fake/index.ts";
import type { Message } from "./codec.ts";
import { firstMessage, idOf, type Handler } from "./handler.ts";

const CHUNK = 1024 * 1024;

export async function upload({ machines }: FakeBoxd, request: Message): Promise<Message> {
  return { bytes_written: await machines.files.upload(idOf(request), request["path"], request["data"]) };
}

export async function download({ machines }: FakeBoxd, request: Message): Promise<Message> {
  return { data: Buffer.from(await machines.files.download(idOf(request), request["path"])) };
}

/** The first chunk names machine, path and length; just as many bytes are read. */
export const uploadStream: Handler = async (incoming) => {
  const { plane, apiKey, messages, send } = incoming;
  const first = await firstMessage(incoming);
  const id = idOf(first);
  const total: number = first["total_size"];
  const parts: Buffer[] = [first["data"]];
  for (let have = parts[0]?.length ?? 0; have < total;) {
    const next = await messages.next();
    if (next.done === true) throw grpcError(3, `the upload ended after ${String(have)} of ${String(total)} bytes`);
    parts.push(next.value["data"]);
    have += next.value["data"].length;
  }
  const bytes = Buffer.concat(parts).subarray(0, total);
  await send({ bytes_written: await plane.client({ apiKey }).machines.files.upload(id, first["path"], bytes) });
};

/** The first chunk says how long the file is. */
export const downloadStream: Handler = async (incoming) => {
  const { plane, apiKey, send, gone } = incoming;
  const request = await firstMessage(incoming);
  const { files } = plane.client({ apiKey }).machines;
  const bytes = Buffer.from(await files.download(idOf(request), request["path"]));
  for (let at = 0; (at === 0 || at < bytes.length) && !gone.aborted; at += CHUNK)
    await send({ total_size: at === 0 ? bytes.length : 0, data: bytes.subarray(at, at + CHUNK) });
};
