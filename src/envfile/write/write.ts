import { singleQuoted } from "../../base/shell-word.ts";
import type { Program } from "./programs.ts";
import { type EnvRefusal, portableQuoting, type Quoting, unfit } from "./quoting.ts";

/**
 * Who reads each kind of env file that this toolkit writes. `docker`: `docker run --env-file`. `compose`: `env_file` of
 * docker compose v2. `dotenv`: node, the dotenv package and this toolkit. `fly`: the input of `fly secrets import`.
 * `shell`: sourced by a POSIX shell, where single quotes serve for every value.
 */
export const DIALECTS = {
  docker: ["docker"],
  compose: ["compose"],
  dotenv: ["qm-deploy", "node", "dotenv"],
  fly: ["fly"],
  shell: [],
} as const satisfies { readonly [name: string]: readonly Program[] };

export type DialectName = keyof typeof DIALECTS;

/** A name and the value that every reader of the file must get. */
export interface EnvPair {
  readonly name: string;
  readonly value: string;
}

export interface WriteOptions {
  /** Comment lines at the top, without `#`; any line ends. */
  readonly header?: string;
}

/** The text of an env file, or every name that could not be written and why. */
export type WrittenEnv =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly refusals: readonly EnvRefusal[] };

/**
 * Writes entries in their order, one by one, LF line ends. A value is quoted only as its readers need it. Values that
 * the dialect cannot carry unharmed are refused by name: nothing is ever cut, replaced or left out.
 */
export function writeEnv(dialect: DialectName, entries: readonly EnvPair[], options: WriteOptions = {}): WrittenEnv {
  const lines = headerLines(options.header);
  const refusals: EnvRefusal[] = [];
  const seen = new Set<string>();
  for (const { name, value } of entries) {
    const quoting = seen.has(name) ? twice(name) : quotingFor(dialect, name, value);
    seen.add(name);
    if (quoting.ok) lines.push(`${dialect === "shell" ? "export " : ""}${name}=${quoting.written}`);
    else refusals.push(quoting.refusal);
  }
  if (refusals.length > 0) return { ok: false, refusals };
  return { ok: true, text: lines.map((line) => `${line}\n`).join("") };
}

function headerLines(header: string | undefined): string[] {
  if (header === undefined || header === "") return [];
  return header.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => (line.trim() === "" ? "#" : `# ${line.trimEnd()}`));
}

function quotingFor(dialect: DialectName, name: string, value: string): Quoting {
  if (dialect !== "shell") return portableQuoting(name, value, DIALECTS[dialect]);
  const refusal = unfit(name, value);
  return refusal === null ? { ok: true, written: singleQuoted(value) } : { ok: false, refusal };
}

function twice(name: string): Quoting {
  return { ok: false, refusal: { name, reader: null, character: null, reason: `\`${name}\` is given twice` } };
}
