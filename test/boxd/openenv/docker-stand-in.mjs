/** Stands for `docker` on a fake machine: runs env-server.mjs as the container. The image's name says how it behaves. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
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
  if (image.startsWith("dead")) writeFileSync(file("dead"), "");
  if (image.startsWith("unrunnable")) fail(`docker: cannot run, ${JSON.stringify(env)}`, 125);
  const kind = image.startsWith("no-ws") ? "no-ws" : image.startsWith("sick") ? "sick" : "echo";
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
verbs[verb]();
