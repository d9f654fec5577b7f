import { systemError } from "../base/system-error.ts";
import { shown } from "../base/shown.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { MAX_TEXT_BYTES } from "../diagnostics/input-problem.ts";
import { findDeployments, type Found, type FoundConfig } from "../workspace/find-deployments.ts";
import type { LoadOptions } from "../workspace/load-deployment.ts";
import { fileSystemProblem, textOf } from "../workspace/read-file.ts";
import { tellAbove } from "./deployment-argument.ts";
import { errorTrace } from "./internal-error.ts";
import { Interrupted } from "./interrupt.ts";
import { type ProcessIo, readStdin } from "./process-io.ts";
import type { Progress } from "./progress.ts";

/** What a command does with the deployments of a run. */
export interface Work<T> {
  /** Works on one. What it throws becomes a finding, and the others are worked on all the same. */
  readonly on: (config: FoundConfig, options: Pick<LoadOptions, "cwd" | "parents" | "stdin">) => T | Promise<T>;
  /** What comes of one that cannot be read, or of a path that leads to none; `file` is its name in reports. */
  readonly failed: (problem: Diagnostic, file: string) => T;
}

/**
 * The deployments that the paths of a command line stand for, as {@link findDeployments} says. One that is found above is named.
 * With `isOptional` (`--if-present`) it is no problem that there is none, which is said.
 */
export function deploymentsAt(io: ProcessIo, paths: readonly string[], isOptional = false): Found {
  const found = findDeployments(paths, io.cwd);
  const [only] = found.configs;
  if (paths.length === 0 && only?.file.startsWith("../") === true) tellAbove(io, only.file);
  if (!isOptional) return found;
  const problems = found.problems.filter(({ rule }) => rule !== "input/no-deployment");
  if (only === undefined && problems.length === 0) io.stderr.write(shown`info: there is no deployment here\n`);
  return { ...found, problems };
}

/** Works on deployments one after the other, in order of their names; what leads to none comes first. */
export async function eachDeployment<T>(
  io: ProcessIo,
  { configs, problems }: Found,
  progress: Progress,
  { on, failed }: Work<T>,
): Promise<T[]> {
  const results = problems.map((problem) => failed(problem, problem.file));
  const parents: LoadOptions["parents"] = new Map();
  const stdin = await readText(io, configs);
  for (const [at, config] of configs.entries()) {
    progress.step(at + 1, configs.length, config.file);
    if (config.path === null && stdin.problem !== undefined) results.push(failed(stdin.problem, config.file));
    else
      try {
        results.push(await on(config, { cwd: io.cwd, parents, stdin: stdin.text }));
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        results.push(failed(problemOf(error, config.file), config.file));
      }
  }
  progress.clear();
  return results;
}

async function readText(
  io: ProcessIo,
  configs: Found["configs"],
): Promise<{ readonly text?: string; readonly problem?: Diagnostic }> {
  const stdin = configs.find(({ path }) => path === null);
  return stdin === undefined ? {} : textOf(await readStdin(io, MAX_TEXT_BYTES), stdin.file);
}

/** What the system refused, or a fault of this toolkit. */
function problemOf(error: unknown, file: string): Diagnostic {
  if (systemError(error) !== null) return fileSystemProblem(error, file);
  const trace = errorTrace(error).slice(0, 4);
  return {
    rule: "internal/fault",
    clause: null,
    severity: "error",
    message: `qm-deploy itself failed on this deployment: ${trace.map(({ text }) => text.trim()).join("; ")}`,
    help: "this is a fault of qm-deploy, whatever the config holds; please report it with this line and the output of `qm-deploy version`",
    command: "qm-deploy version",
    file,
    range: null,
    fix: null,
  };
}
