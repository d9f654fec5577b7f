import type { Shown } from "../base/shown-text.ts";

/** A stream that a command prints to. Takes text that was masked and made printable, and no string. */
export interface Output {
  write(text: Shown): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** How the user or the system asks the program to end. */
export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Everything outside that a command may touch apart from files; tests pass their own. */
export interface ProcessIo {
  /** Without the program's own name. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Resolves, to the signal, when the user or the system asks the program to end; until it is called, and once `until` is aborted, they end it at once. What comes twice within a second is one. */
  interrupted(until?: AbortSignal): Promise<EndingSignal>;
  /**
   * From now on output that cannot be written ends nothing, and `write` answers `LOST` for it: for whom what nobody has heard of must be undone.
   * To be called before anything is written; not there where a write cannot fail.
   */
  outliveOutput?(): void;
}

/** Reads stdin as bytes, but not more than one byte over `limit`. */
export async function readStdin(io: ProcessIo, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of io.stdin) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
    chunks.push(bytes);
    length += bytes.length;
    if (length > limit) break;
  }
  return Buffer.concat(chunks);
}
