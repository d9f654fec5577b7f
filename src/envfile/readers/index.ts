import { isEnvName } from "../env-document.ts";
import { readEnvFile } from "../read.ts";
import { readAsCompose, readAsOlderCompose } from "./compose.ts";
import type { Reader, ReadResult } from "./reader.ts";

/** Every program that reads a `.env` as it stands, in every version in use, the usual one first. */
const READERS = {
  "qm-deploy": [readAsQmDeploy],
  qm: [readAsQm],
  compose: [readAsCompose, readAsOlderCompose],
} as const satisfies { readonly [name: string]: readonly [Reader, ...Reader[]] };

export type FileReader = keyof typeof READERS;

function readAsQmDeploy(text: string): ReadResult {
  return { ok: true, values: readEnvFile(text).values };
}

/** The name and value of one line of qm's `.env` grammar; null where qm drops the line. */
function entryOf(raw: string): [string, string] | null {
  const trimmed = raw.trim();
  if (trimmed === "" || trimmed.startsWith("#")) return null;
  const line = trimmed.startsWith("export ") ? trimmed.slice(7).trimStart() : trimmed;
  const equals = line.indexOf("=");
  if (equals < 1) return null;
  const key = line.slice(0, equals).trim();
  if (!isEnvName(key)) return null;
  const value = line.slice(equals + 1).trim();
  const quote = value[0];
  if (quote !== '"' && quote !== "'" && quote !== "`") return [key, value];
  const close = value.indexOf(quote, 1);
  if (close === -1) return [key, value];
  const inner = value.slice(1, close);
  return [key, quote === '"' ? inner.replaceAll("\\n", "\n") : inner];
}

/** qm's own `.env` reader (0.1.6 and 0.1.12): line by line, no escapes but `\n`, comments behind values kept. */
function readAsQm(text: string): ReadResult {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const entry = entryOf(line);
    if (entry !== null) values.set(entry[0], entry[1]);
  }
  return { ok: true, values };
}

/** What `reader` makes of the text, whole file for whole file. Environment lookups find nothing. */
export function readAs(reader: FileReader, text: string): ReadResult {
  return READERS[reader][0](text);
}

/** Every version of a reader that what we write must suit. */
export function versionsOf(reader: FileReader): readonly Reader[] {
  return READERS[reader];
}
