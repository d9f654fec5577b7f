import { isRefusedPath, readPath, showPath, type ConfigPath } from "../base/config-path.ts";
import { printable } from "../base/printable.ts";
import type { ProcessIo } from "./process-io.ts";

/** Reads a config path of the command line; what is wrong with it is printed, and null comes back. */
export function configPathArgument(io: ProcessIo, text: string): ConfigPath | null {
  const reading = readPath(text);
  const reason = !reading.ok
    ? `${reading.reason}; write it as \`plugins[0].env.NAME\`, and odd keys as \`env.core["MY.KEY"]\``
    : reading.path.length === 0
      ? "the field is empty"
      : isRefusedPath(reading.path)
        ? `\`${showPath(reading.path)}\` is refused: \`__proto__\`, \`constructor\` and \`prototype\` are no settings`
        : null;
  if (reason === null && reading.ok) return reading.path;
  io.stderr.write(printable(`error: ${reason}`) + "\n");
  return null;
}
