import { tooLarge } from "../boxd-fake/files.ts";
import { grpcError } from "../boxd-fake/index.ts";

/** A message with gRPC's framing: a byte that says it is not compressed, and its length. */
export function frame(message: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** The messages of a request as they come. One above `cap` bytes, a compressed one, and a stream that ends within one are errors. */
export async function* messagesOf(stream: AsyncIterable<Buffer>, cap: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < 5) break;
      const length = rest.readUInt32BE(1);
      if (rest[0] !== 0) throw grpcError(12, "compression is not supported");
      if (length > cap) throw tooLarge(length);
      if (rest.length < 5 + length) break;
      yield rest.subarray(5, 5 + length);
      rest = rest.subarray(5 + length);
    }
  }
  if (rest.length > 0) throw grpcError(13, "the request ended within a message");
}
