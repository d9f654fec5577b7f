import type { ReaderName } from "../readers/reader.ts";

/** Kinds of env file that this toolkit writes. */
export const DIALECT_NAMES = ["docker", "compose", "dotenv", "fly", "qm", "shell"] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

/** Who reads a dialect, and what stands before each name. */
export interface Dialect {
  readonly readers: readonly ReaderName[];
  readonly prefix: string;
}

/**
 * `docker`: `docker run --env-file`. `compose`: `env_file` of docker compose v2. `dotenv`: node, the dotenv package and
 * this toolkit. `fly`: the input of `fly secrets import`. `qm`: qm's own CLI. `shell`: sourced by a POSIX shell.
 */
export const DIALECTS: { readonly [name in DialectName]: Dialect } = {
  docker: { readers: ["docker"], prefix: "" },
  compose: { readers: ["compose"], prefix: "" },
  dotenv: { readers: ["qm-deploy", "node", "dotenv"], prefix: "" },
  fly: { readers: ["fly"], prefix: "" },
  qm: { readers: ["qm"], prefix: "" },
  shell: { readers: ["shell"], prefix: "export " },
};
