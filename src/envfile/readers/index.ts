import { readEnvFile } from "../read.ts";
import { readAsCompose, readAsOlderCompose } from "./compose.ts";
import { readAsQm } from "./qm.ts";
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

/** What `reader` makes of the text, whole file for whole file. Environment lookups find nothing. */
export function readAs(reader: FileReader, text: string): ReadResult {
  return READERS[reader][0](text);
}

/** Every version of a reader that what we write must suit. */
export function versionsOf(reader: FileReader): readonly Reader[] {
  return READERS[reader];
}
