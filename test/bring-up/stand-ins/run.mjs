// One call of a program that stands in for the real one: `node run.mjs <program> <argument>…`. It refuses what the real
// program would refuse, and remembers in a file (BRING_UP_WORLD) what has been made.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Absent, Refusal } from "./answers.mjs";
import { readCall } from "./read-call.mjs";

const [name, ...argv] = process.argv.slice(2);
const { PROGRAM } = await import(`./${name}.mjs`);
const file = process.env.BRING_UP_WORLD;

/** Calls of one pipeline run at the same time. */
function lock() {
  for (const end = Date.now() + 20_000; ;) {
    try {
      return mkdirSync(`${file}.lock`);
    } catch (error) {
      if (Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

let status = 0;
let output = "";
try {
  const call = readCall(PROGRAM, argv);
  const stdin = call.command.stdin ? readFileSync(0, "utf8") : "";
  lock();
  try {
    const world = JSON.parse(readFileSync(file, "utf8"));
    try {
      output = call.command.run(world, { ...call, stdin }) ?? "";
    } finally {
      world.calls.push([name, ...argv]);
      writeFileSync(`${file}.new`, JSON.stringify(world));
      renameSync(`${file}.new`, file);
    }
  } finally {
    rmSync(`${file}.lock`, { recursive: true });
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${name}: ${error.message}\n`);
  status = error instanceof Absent ? 254 : 1;
  // What is only looked for may be missing; everything else is a fault of the page.
  if (!(error instanceof Absent))
    writeFileSync(`${file}.refusals`, `${name} ${argv.join(" ")}: ${error.message}\n`, { flag: "a" });
}
process.stdout.write(output === "" || output.endsWith("\n") ? output : `${output}\n`);
process.exitCode = status;
