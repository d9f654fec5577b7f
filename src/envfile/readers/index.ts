import { readEnvFile } from "../read.ts";
import { readAsCompose, readAsOlderCompose } from "./compose.ts";
import { readAsDocker, readAsUnquotingDocker } from "./docker.ts";
import { readAsDotenv } from "./dotenv.ts";
import { readAsFly } from "./fly.ts";
import { readAsNode20 } from "./node-20.ts";
import { readAsNode24 } from "./node-24.ts";
import { readAsQm } from "./qm.ts";
import type { Reader, ReaderName, ReadResult } from "./reader.ts";
import { readAsShell } from "./shell.ts";

function readAsQmDeploy(text: string): ReadResult {
  return { ok: true, values: readEnvFile(text).values };
}

/** Every version of each reader that is in use, the usual one first. */
const READERS: { readonly [name in ReaderName]: readonly [Reader, ...Reader[]] } = {
  "qm-deploy": [readAsQmDeploy],
  qm: [readAsQm],
  docker: [readAsDocker, readAsUnquotingDocker],
  compose: [readAsCompose, readAsOlderCompose],
  node: [readAsNode20, readAsNode24],
  dotenv: [readAsDotenv],
  fly: [readAsFly],
  shell: [readAsShell],
};

/** What `reader` makes of the text, whole file for whole file. Environment lookups find nothing. */
export function readAs(reader: ReaderName, text: string): ReadResult {
  return READERS[reader][0](text);
}

/** Every version of a reader that what we write must suit. */
export function versionsOf(reader: ReaderName): readonly Reader[] {
  return READERS[reader];
}
