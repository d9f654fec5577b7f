/**
 * Stands for `docker` on a fake machine: runs env-server.mjs as the container. The image's name says how it behaves. DOCKER_IMAGES names a JSON file
 * with images that are programs of this computer, `{ "<image>": { "directory", "command" } }`; a built image is one where its Dockerfile ends
 * with a CMD that works in /app/env. Both get their port in the place of 8000.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";

const home = join(process.env.HOME, ".docker");
mkdirSync(home, { recursive: true });
const [verb, ...args] = process.argv.slice(2);
appendFileSync(join(home, "calls"), `${JSON.stringify([verb, ...args])}\n`);
// What a machine did must still be known when its disk is gone.
if (process.env.DOCKER_LEDGER !== undefined) appendFileSync(process.env.DOCKER_LEDGER, `${verb} ${process.env.HOME}\n`);
const file = (name) => join(home, name);
const fail = (text, status = 1) => {
  process.stderr.write(`${text}\n`);
  process.exit(status);
};
const BUILT = "openenv-built:latest";
const sum = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const option = (name) => args[args.indexOf(name) + 1];

function pull() {
  const image = args.at(-1);
  if (image.startsWith("missing")) fail(`manifest unknown; CANARY ${process.env.HOME} ${image}`);
}

function build() {
  const dockerfile = readFileSync(option("--file"), "utf8");
  if (/RUN false/.test(dockerfile)) fail("step 2: CANARY-OUTPUT false returned 1");
  const entries = readdirSync(args.at(-1), { recursive: true, withFileTypes: true });
  const pathOf = (entry) => join(entry.parentPath ?? entry.path, entry.name);
  const list = entries.map((entry) => `${entry.isSymbolicLink() ? "link " : ""}${pathOf(entry)}`);
  writeFileSync(file("context"), JSON.stringify(list.map((path) => path.replace(`${args.at(-1)}/`, "")).sort()));
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => [pathOf(entry).replace(`${args.at(-1)}/`, ""), sum(pathOf(entry))]);
  writeFileSync(
    file("sums"),
    JSON.stringify({ context: Object.fromEntries(files), dockerfile: sum(option("--file")) }),
  );
  const command = /^CMD (\[.*\])\s*$/m.exec(dockerfile)?.[1];
  if (command === undefined) return;
  const directory = file("app");
  cpSync(args.at(-1), directory, { recursive: true });
  writeFileSync(
    file("built"),
    JSON.stringify({ directory, command: JSON.parse(command).map((word) => word.replaceAll("/app/env", directory)) }),
  );
}

/** The program of an image, or null for one that is env-server.mjs. */
function programOf(image) {
  if (image === BUILT && existsSync(file("built"))) return JSON.parse(readFileSync(file("built"), "utf8"));
  const path = process.env.DOCKER_IMAGES;
  return path === undefined ? null : (JSON.parse(readFileSync(path, "utf8"))[image] ?? null);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Runs a program in the place of env-server.mjs; whoever talks to it must wait until it listens. */
async function runProgram({ directory, command }, env) {
  const port = String(await freePort());
  const [program, ...words] = command.map((word) => word.replaceAll("8000", port).replaceAll("0.0.0.0", "127.0.0.1"));
  const log = openSync(file("log"), "a");
  const options = { cwd: directory, detached: true, stdio: ["ignore", log, log] };
  const child = spawn(program, words, { ...options, env: { ...process.env, PYTHONPATH: directory, ...env } });
  writeFileSync(file("pid"), String(child.pid));
  writeFileSync(file("port"), port);
  child.unref();
}

function run() {
  const values = { "--name": 1, "--publish": 1, "--env-file": 1 };
  let at = 0;
  const given = {};
  while (args[at].startsWith("--")) {
    if (values[args[at]]) {
      given[args[at]] = args[at + 1];
      at += 2;
    } else at += 1;
  }
  const image = args[at];
  const env = given["--env-file"] === undefined ? {} : readEnv(given["--env-file"]);
  writeFileSync(file("env"), JSON.stringify(env));
  const path = given["--env-file"];
  if (path !== undefined) writeFileSync(file("env-sum"), JSON.stringify(sum(path)));
  if (path !== undefined)
    writeFileSync(
      file("modes"),
      JSON.stringify([path, dirname(path)].map((each) => (statSync(each).mode & 0o777).toString(8))),
    );
  const known = programOf(image);
  if (known !== null) return runProgram(known, env);
  if (image.startsWith("dead")) writeFileSync(file("dead"), "");
  if (image.startsWith("unrunnable")) fail(`docker: cannot run, ${JSON.stringify(env)}`, 125);
  const kind = ["no-ws", "sick", "full"].find((name) => image.startsWith(name)) ?? "echo";
  const log = openSync(file("log"), "a");
  const program = image.startsWith("exits")
    ? ["-e", "console.log('boot failed', process.env.GREETING, process.env.MACHINE_URL)"]
    : [join(import.meta.dirname, "env-server.mjs"), file("port"), kind];
  const child = spawn(process.execPath, program, {
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...(fits(env) ? env : {}) },
  });
  writeFileSync(file("pid"), String(child.pid));
  child.unref();
  return undefined;
}

/** The kernel takes no environment of more than 2 MiB; files of that size are sent to see them arrive. */
function fits(env) {
  return JSON.stringify(env).length < 1024 * 1024;
}

function readEnv(path) {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

function inspect() {
  if (!existsSync(file("pid"))) fail("no such container");
  console.log(existsSync(file("dead")) ? "dead" : isAlive() ? "running" : "exited");
}

function isAlive() {
  try {
    const stat = readFileSync(`/proc/${readFileSync(file("pid"), "utf8")}/stat`, "utf8");
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

const verbs = { pull, build, run, inspect, logs: () => process.stdout.write(readFileSync(file("log"))) };
if (verbs[verb] === undefined) fail(`docker: unknown command ${verb}`, 125);
await verbs[verb]();
