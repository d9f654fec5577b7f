import { readAs } from "../../../src/envfile/index.ts";
import type { Reader, ReadResult } from "../../../src/envfile/readers/reader.ts";
import { readAsOlderCompose } from "../../../src/envfile/readers/compose.ts";
import { readAsDocker, readAsUnquotingDocker } from "./docker.ts";
import { readAsDotenv } from "./dotenv.ts";
import { readAsFly } from "./fly.ts";
import { readAsNode20, readAsNode24 } from "./node.ts";
import { readAsShell } from "./shell.ts";

/**
 * Every program that reads env files, in every version in use, the usual one first. Those that only read what this toolkit
 * writes are ported here, for tests alone; the others are the toolkit's own.
 */
export const READERS = {
  "qm-deploy": [(text) => readAs("qm-deploy", text)],
  qm: [(text) => readAs("qm", text)],
  compose: [(text) => readAs("compose", text), readAsOlderCompose],
  docker: [readAsDocker, readAsUnquotingDocker],
  node: [readAsNode20, readAsNode24],
  dotenv: [readAsDotenv],
  fly: [readAsFly],
  shell: [readAsShell],
} as const satisfies { readonly [name: string]: readonly [Reader, ...Reader[]] };

export type ReaderName = keyof typeof READERS;

export const READER_NAMES = Object.keys(READERS) as ReaderName[];

/** What `reader` makes of the text in its usual version. */
export function readWith(reader: ReaderName, text: string): ReadResult {
  return READERS[reader][0](text);
}
