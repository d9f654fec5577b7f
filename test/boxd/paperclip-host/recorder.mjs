// Imported first by a copy of the worker: writes every call of the host and its answer to the file that the query of this module's URL names, a JSON
// object a line. `console` is not used: the worker's standard output is the protocol.
import { appendFileSync } from "node:fs";

const file = new URL(import.meta.url).searchParams.get("file");
const { emit } = process.stdin;
const { write } = process.stdout;

function record(direction, text) {
  for (const line of String(text).split("\n")) {
    if (line.startsWith("{")) appendFileSync(file, `{"at":${Date.now()},"${direction}":${line}}\n`);
  }
}

let pending = "";
process.stdin.emit = function (event, ...args) {
  if (event === "data") {
    const lines = (pending + String(args[0])).split("\n");
    pending = lines.pop();
    for (const line of lines) record("asked", line);
  }
  return emit.call(this, event, ...args);
};
process.stdout.write = function (chunk, ...args) {
  record("told", chunk);
  return write.call(this, chunk, ...args);
};
