import { Readable, Writable } from "node:stream";
import { ours } from "../../../base/shown.ts";
import { startServer } from "../../../lsp/server.ts";
import type { Invocation } from "../../command-definition.ts";
import { VERSION } from "../../version.ts";

/** `qm-deploy lsp`: runs until the client ends it, with the status that the protocol asks for. */
export function run({ io }: Invocation): Promise<number> {
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // Each part of a message comes in one piece; what may be secret was masked where it was made.
      io.stdout.write(ours(chunk.toString("utf8")));
      done();
    },
  });
  startServer({ input: Readable.from(io.stdin, { objectMode: false }), output, version: VERSION });
  return new Promise(() => {});
}
