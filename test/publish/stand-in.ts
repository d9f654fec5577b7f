import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDirectory } from "../workspace/temp.ts";

/** One call of a stand-in, as it wrote it down. */
export interface Call {
  readonly program: string;
  readonly args: readonly string[];
  /** Names of its environment that hold the token of the test. */
  readonly tokenIn: readonly string[];
  /** The Dockerfile that it was given; null where none was. */
  readonly dockerfile: string | null;
  /** The ignore file beside it; null where there is none. */
  readonly ignore: string | null;
}

/** What the stand-ins for docker and fly do; none of it means success. */
export interface Behaviour {
  /** The call that fails: "pull", "inspect", "push", "build" or "login". */
  readonly fails?: string;
  /** The push takes 20 seconds and fails then: longer than a test waits, and nothing stays behind. */
  readonly hangs?: boolean;
  /** Content of the metadata file instead of a sound one. */
  readonly metadata?: string;
  /** What docker knows of a pulled image. */
  readonly repoDigests?: readonly string[];
  /** What is done to the config while the image is pushed: this text is written into it. */
  readonly rewrites?: { readonly path: string; readonly text: string };
}

export const PUSHED = `sha256:${"7e".repeat(32)}`;
export const PULLED = `sha256:${"3a".repeat(32)}`;

/** A program that writes down how it was called. It speaks of what it was given, so that a secret in it would show. */
const SCRIPT = `
const fs = require("node:fs");
const [, file, ...args] = process.argv;
const program = require("node:path").basename(file);
const { log, token, behaviour } = JSON.parse(fs.readFileSync(__dirname + "/settings.json", "utf8"));
const after = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : null);
const dockerfile = after("--file") === null ? null : fs.readFileSync(after("--file"), "utf8");
const ignoreFile = after("--file") + ".dockerignore";
const ignore = fs.existsSync(ignoreFile) ? fs.readFileSync(ignoreFile, "utf8") : null;
const tokenIn = Object.keys(process.env).filter((name) => process.env[name].includes(token));
fs.appendFileSync(log, JSON.stringify({ program, args, tokenIn, dockerfile, ignore }) + "\\n");
const kind = program !== "docker" ? "login" : args[0] === "image" ? "inspect" : args.includes("--push") ? "push" : args[0] === "buildx" ? "build" : args[0];
if (program !== "docker") console.log("signed in with " + (process.env.FLY_API_TOKEN ?? "nothing"));
else console.error("progress of " + kind);
if (behaviour.rewrites && kind === "push") fs.writeFileSync(behaviour.rewrites.path, behaviour.rewrites.text);
if (behaviour.fails === kind) process.exit(17);
if (kind === "inspect") console.log(JSON.stringify(behaviour.repoDigests ?? []));
if (behaviour.hangs && kind === "push") setTimeout(() => process.exit(1), 20_000);
else if (kind === "push") fs.writeFileSync(after("--metadata-file"), behaviour.metadata ?? JSON.stringify({ "containerimage.digest": ${JSON.stringify(PUSHED)} }));
`;

/** Stand-ins for docker and fly in a directory of their own, to be put on PATH. */
export class StandIns {
  readonly bin: string;
  readonly #log: string;

  constructor(token: string, behaviour: Behaviour = {}, programs: readonly string[] = ["docker", "fly"]) {
    this.bin = tempDirectory();
    this.#log = join(this.bin, "log");
    writeFileSync(join(this.bin, "settings.json"), JSON.stringify({ log: this.#log, token, behaviour }));
    for (const program of programs) {
      writeFileSync(join(this.bin, program), `#!${process.execPath}\n${SCRIPT}`);
      chmodSync(join(this.bin, program), 0o755);
    }
  }

  /** Every call so far, in order. */
  get calls(): readonly Call[] {
    if (!existsSync(this.#log)) return [];
    return readFileSync(this.#log, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Call);
  }
}

/** Bytes, mode and times of everything below a directory, and of itself. */
export function stateOf(root: string): { readonly [path: string]: string } {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    ["", ...names].map((name) => {
      const stats = lstatSync(join(root, name), { bigint: true });
      return [
        name,
        `${stats.mode} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.isFile() ? readFileSync(join(root, name)).toString("base64") : ""}`,
      ];
    }),
  );
}
