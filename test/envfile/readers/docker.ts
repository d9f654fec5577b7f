import { goLines, goTrimLeft, isTooLong, withoutCr } from "./go.ts";
import type { ReadResult } from "../../../src/envfile/readers/reader.ts";

function withoutQuotes(value: string): string {
  const quote = value[0];
  return value.length > 1 && (quote === "'" || quote === '"') && value.endsWith(quote) ? value.slice(1, -1) : value;
}

function read(text: string, valueOf: (written: string) => string): ReadResult {
  const values = new Map<string, string>();
  for (const [index, scanned] of goLines(text).entries()) {
    if (isTooLong(scanned)) return { ok: false, line: index + 1, reason: "the line is longer than 65535 bytes" };
    const bare = withoutCr(index === 0 && scanned.startsWith("\uFEFF") ? scanned.slice(1) : scanned);
    const line = goTrimLeft(bare);
    if (line === "" || line.startsWith("#")) continue;
    const equals = line.indexOf("=");
    const key = equals === -1 ? line : line.slice(0, equals);
    if (key === "") return { ok: false, line: index + 1, reason: "the line has no name" };
    if (/[ \t]/.test(key)) return { ok: false, line: index + 1, reason: "the name holds a space or tab" };
    if (equals !== -1) values.set(key, valueOf(line.slice(equals + 1)));
  }
  return { ok: true, values };
}

/** `docker run --env-file`: every character behind `=` belongs to the value. A name without `=` comes from the shell. */
export function readAsDocker(text: string): ReadResult {
  return read(text, (written) => written);
}

/** A docker client that takes a matching pair of quotes off; builds of both kinds are about. */
export function readAsUnquotingDocker(text: string): ReadResult {
  return read(text, withoutQuotes);
}
