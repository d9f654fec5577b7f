import { redactText } from "../../../base/redact.ts";
import { closestName } from "../../../base/closest-name.ts";
import { parseDocument } from "../../../config/parse.ts";
import { showPath } from "../../../base/config-path.ts";
import type { JsonValue } from "../../../base/json.ts";
import { printable, printableJson } from "../../../base/printable.ts";
import { pathsBelow } from "../../../config/node.ts";
import { configAt } from "../../../workspace/find-deployments.ts";
import { readTextFile } from "../../../workspace/read-file.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { configPathArgument } from "../../config-path-argument.ts";
import type { ProcessIo } from "../../process-io.ts";
import { printInputProblem } from "../../print-diagnostics.ts";
import { type Invocation, textOption } from "../../command-definition.ts";

function asText(io: ProcessIo, value: JsonValue): string {
  if (typeof value !== "string") return `${printableJson(JSON.stringify(value, null, 2))}\n`;
  // A program gets the bytes; a terminal nothing that could move its cursor.
  return `${io.stdout.isTTY === true ? printable(value) : value}\n`;
}

/** `qm-deploy config get`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const path = configPathArgument(io, invocation.args[0] ?? "");
  if (path === null) return USAGE;
  const config = configAt(textOption(invocation, "in") ?? ".", io.cwd);
  const read = readTextFile(config.path, config.file);
  if (read.problem !== undefined) {
    await printInputProblem(io, read.problem);
    return USAGE;
  }
  const document = parseDocument({ file: config.file, text: read.file.text });
  const value = document.value(path);
  if (textOption(invocation, "format") === "json") {
    const object = {
      version: 1,
      config: config.file,
      field: showPath(path),
      set: value !== undefined,
      value: value ?? null,
    };
    io.stdout.write(printableJson(`${JSON.stringify(object, null, 2)}\n`));
  } else if (value !== undefined) io.stdout.write(asText(io, value));
  if (value !== undefined) return PASSED;
  const meant = closestName(showPath(path), pathsBelow(document.root));
  const hint = document.broken
    ? "; the file has syntax errors, see `qm-deploy check`"
    : meant === null
      ? ""
      : `; did you mean \`${meant}\`?`;
  io.stderr.write(printable(`\`${redactText(showPath(path))}\` is not set in ${config.file}${hint}`) + "\n");
  return PROBLEMS;
}
