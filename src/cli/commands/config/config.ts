import { closestName } from "../../../base/closest-name.ts";
import { type ConfigPath, isRefusedPath, readPath, showPath } from "../../../base/config-path.ts";
import { type JsonValue, parseJson } from "../../../base/json.ts";
import { counted } from "../../../base/phrase.ts";
import { exactly, judged, ours, plainText, type Shown, shown, shownJson } from "../../../base/shown.ts";
import { pathsBelow } from "../../../config/node.ts";
import { type LoadedConfig, loadConfig } from "../../../config/load.ts";
import { schemaAt } from "../../../config/schema/lookup.ts";
import { resolveDeployment } from "../../../deployment/resolve.ts";
import type { ValueChange, Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { committedSecretsAt } from "../../../rules/blocking.ts";
import { runRules } from "../../../rules/run-rules.ts";
import { editConfig, type EditOutcome } from "../../../workspace/edit-config.ts";
import { configAt } from "../../../workspace/find-deployments.ts";
import { readInputs } from "../../../workspace/load-deployment.ts";
import { readTextFile } from "../../../workspace/read-file.ts";
import { hasOption, type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { deploymentPath } from "../../deployment-argument.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { printError, printJson, usageError } from "../../output.ts";
import type { ProcessIo } from "../../process-io.ts";
import { printDiagnostics, reportInputProblem, reportWriteErrors } from "../../reporting.ts";

/** Reads the config path of a command line; what is wrong with it is printed, and null comes back. */
function fieldArgument({ io, args }: Invocation): ConfigPath | null {
  const reading = readPath(args[0] ?? "");
  if (!reading.ok)
    printError(io, `${reading.reason}; write it as \`plugins[0].env.NAME\`, and odd keys as \`env.core["MY.KEY"]\``);
  else if (reading.path.length === 0) printError(io, "the field is empty");
  else if (isRefusedPath(reading.path))
    printError(
      io,
      `\`${showPath(reading.path)}\` is refused: \`__proto__\`, \`constructor\` and \`prototype\` are no settings`,
    );
  else return reading.path;
  return null;
}

function valueText(io: ProcessIo, value: JsonValue): Shown {
  if (typeof value !== "string") return shown`${shownJson(exactly(value))}\n`;
  // A program gets the bytes; a terminal nothing that could move its cursor.
  return shown`${io.stdout.isTTY === true ? judged(value) : ours(value)}\n`;
}

/** What `check` says of a value that it takes for a secret; the files beside the config play no part. */
function secretsAt(path: ConfigPath, loaded: LoadedConfig, cwd: string): readonly Diagnostic[] {
  const deployment = resolveDeployment(readInputs(loaded, null, { cwd }), loaded);
  return committedSecretsAt(path, runRules(deployment), deployment);
}

/** `qm-deploy config get`. */
export async function get(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const path = fieldArgument(invocation);
  if (path === null) return USAGE;
  const config = configAt(deploymentPath(io, textOption(invocation, "in")), io.cwd);
  const read = readTextFile(config.path, config.file);
  if (read.problem !== undefined) return reportInputProblem(io, read.problem);
  const loaded = loadConfig({ file: config.file, text: read.file.text });
  const { document } = loaded;
  const value = document.value(path);
  const field = showPath(path);
  const secrets = value === undefined ? [] : secretsAt(path, loaded, io.cwd);
  const isShown = value !== undefined && secrets.length === 0;
  if (wantsJson(invocation))
    printJson(io, { config: config.file, field, set: value !== undefined, value: exactly(isShown ? value : null) });
  else if (isShown) io.stdout.write(valueText(io, value));
  if (isShown) return PASSED;
  for (const { message, help } of secrets) printError(io, `${message}; it is not shown`, help);
  if (secrets.length > 0) return PROBLEMS;
  const meant = closestName(field, pathsBelow(document.root));
  const hint = document.broken
    ? "; the file has syntax errors, see `qm-deploy check`"
    : meant === null
      ? ""
      : `; did you mean \`${meant}\`?`;
  io.stderr.write(shown`\`${field}\` is not set in ${plainText(config.file)}${hint}\n`);
  return PROBLEMS;
}

type Reading = { readonly value: JsonValue } | { readonly reason: string };

/** What a value on the command line means at a place; see the help of `config set`. */
export function readValue(text: string, path: ConfigPath, as: "string" | "json" | null): Reading {
  if (as === "string") return { value: text };
  const json = parseJson(text);
  if (json === undefined) return as === "json" ? { reason: "the value is not JSON" } : { value: text };
  const kind = schemaAt(path)?.kind;
  const takesText = kind === "string" || kind === "names";
  if (as === null && takesText && typeof json !== "string") return { value: text };
  if (typeof json === "number" && Number.isInteger(json) && !Number.isSafeInteger(json)) {
    return { reason: "the number has more digits than a JSON reader keeps; use --string for text" };
  }
  return { value: json };
}

/** `qm-deploy config set`. */
export async function set(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const [asString, asJson] = [hasOption(invocation, "string"), hasOption(invocation, "json")];
  if (asString && asJson) return usageError(io, "--string and --json exclude each other");
  const path = fieldArgument(invocation);
  if (path === null) return USAGE;
  const reading = readValue(args[1] ?? "", path, asString ? "string" : asJson ? "json" : null);
  if ("reason" in reading) return usageError(io, reading.reason);
  return changeConfig(invocation, { kind: "set", path, value: reading.value });
}

/** `qm-deploy config unset`. */
export async function unset(invocation: Invocation): Promise<number> {
  const path = fieldArgument(invocation);
  return path === null ? USAGE : changeConfig(invocation, { kind: "remove", path });
}

function changeConfig(invocation: Invocation, change: ValueChange): Promise<number> {
  const { io } = invocation;
  return reportWriteErrors(io, async () => {
    const path = deploymentPath(io, textOption(invocation, "in"));
    return report(io, change, await editConfig(change, { cwd: io.cwd, path, force: hasOption(invocation, "force") }));
  });
}

/** Says that comments went with a field. A set takes one out only where a commented line gave its place to the field. */
function withComments({ kind }: ValueChange, comments: number): string {
  return kind === "set" || comments === 0 ? "" : `, with ${counted(comments, "comment")} of its own`;
}

async function report(io: ProcessIo, change: ValueChange, outcome: EditOutcome): Promise<number> {
  const field = `\`${showPath(change.path)}\``;
  const done = change.kind === "set" ? "set" : "removed";
  switch (outcome.kind) {
    case "unreadable":
      return reportInputProblem(io, outcome.problem);
    case "refused":
      printError(io, `${field} was not ${done}: ${outcome.reason}`);
      return PROBLEMS;
    case "worse":
      await printDiagnostics(io, outcome.deployment, outcome.added);
      printError(
        io,
        "nothing was written: the change would add the errors above",
        "set the fields that it needs first, where any are missing; --force makes the change before them",
      );
      return PROBLEMS;
    case "unchanged":
      io.stdout.write(shown`${field} has that value already\n`);
      return PASSED;
    case "written":
      await printDiagnostics(io, outcome.deployment, outcome.added);
      io.stdout.write(
        shown`${done} ${field} in ${plainText(outcome.deployment.inputs.config.file)}${withComments(change, outcome.comments)}\n`,
      );
      return PASSED;
  }
}
