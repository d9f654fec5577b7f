import { textOf } from "../workspace/read-file.ts";
import { STDIN_NAME } from "../workspace/paths.ts";
import { type ProcessIo, readStdin } from "./process-io.ts";

/** Far above every key and certificate, and what no environment carries anyway. */
const MAX_VALUE_BYTES = 128 * 1024;

export type SecretInput = { readonly value: string } | { readonly reason: string };

async function askFor(name: string): Promise<SecretInput> {
  const { password, isCancel } = await import("@clack/prompts");
  // Without a mask nothing is echoed, not even how long the value is.
  const answer = await password({ message: `Value of ${name} (not shown)`, mask: "" });
  return isCancel(answer) ? { reason: "cancelled" } : { value: answer };
}

/** Reads a secret value: all of stdin without the line break at its end, or the answer to a hidden prompt on a terminal. */
export async function readSecret(io: ProcessIo, name: string): Promise<SecretInput> {
  if (io.stdin.isTTY === true) return askFor(name);
  const bytes = await readStdin(io, MAX_VALUE_BYTES);
  if (bytes.length > MAX_VALUE_BYTES) return { reason: "the value on stdin is longer than 128 KiB" };
  const read = textOf(bytes, STDIN_NAME);
  if ("problem" in read) return { reason: "stdin is not UTF-8 text" };
  return { value: read.text.replace(/^\ufeff/, "").replace(/(?:\r\n|\n|\r)$/, "") };
}
