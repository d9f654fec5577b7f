import type { ProcessIo } from "../../src/cli/process-io.ts";

/** Streams in memory; what was printed is in `out` and `err`. */
export interface FakeIo extends ProcessIo {
  out: string;
  err: string;
}

export function fakeIo(argv: readonly string[], more: Partial<ProcessIo> = {}): FakeIo {
  const io: FakeIo = {
    argv,
    cwd: import.meta.dirname,
    env: {},
    stdin: (async function* () {})(),
    stdout: { write: ({ text }) => (io.out += text), columns: 100 },
    stderr: { write: ({ text }) => (io.err += text), columns: 100 },
    interrupted: () => new Promise(() => undefined),
    out: "",
    err: "",
    ...more,
  };
  return io;
}
