import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { diagnosticView, unreadDeployment } from "../diagnostics/view.ts";
import { STDIN_NAME } from "../workspace/paths.ts";
import { loadDeployment, loadFound, type LoadOptions, type LoadOutcome } from "../workspace/load-deployment.ts";
import { MAX_TEXT_BYTES, textOf } from "../workspace/read-file.ts";
import { makeReporter } from "./commands/check/reporters.ts";
import { USAGE } from "./exit-status.ts";
import { type ProcessIo, readStdin } from "./process-io.ts";
import { type Invocation, textOption } from "./command-definition.ts";

async function loadStdin(io: ProcessIo, options: LoadOptions): Promise<LoadOutcome> {
  const read = textOf(await readStdin(io, MAX_TEXT_BYTES), STDIN_NAME);
  if ("problem" in read) return read;
  return loadFound({ path: null, file: STDIN_NAME }, { ...options, stdin: read.text });
}

/** Reports an input that could not be used: as `check` would, on stderr for people and on stdout for programs. */
export async function reportInputProblem(io: ProcessIo, problem: Diagnostic, format: string): Promise<void> {
  const output = format === "json" ? io.stdout : io.stderr;
  const reporter = await makeReporter(format, io, output, false);
  const view = unreadDeployment(problem.file, [diagnosticView(problem)]);
  output.write(reporter.add(view, () => undefined));
  const summary = { deployments: 1, errors: 1, warnings: 0, infos: 0, fixed: 0 };
  for (const text of reporter.end({ ok: false, summary })) output.write(text);
}

/**
 * Loads the one deployment that a command is about, from its first argument (default: the working directory; `-`:
 * stdin) and the options `release`, `target` and `env-file`. A problem is reported; its exit status comes back then.
 */
export async function loadDeploymentArgument(
  invocation: Invocation,
  path = invocation.args[0] ?? ".",
): Promise<{ deployment: Deployment } | { status: number }> {
  const { io } = invocation;
  const options: LoadOptions = {
    cwd: io.cwd,
    envFile: textOption(invocation, "env-file"),
    release: textOption(invocation, "release"),
    target: textOption(invocation, "target"),
  };
  const loaded = path === "-" ? await loadStdin(io, options) : loadDeployment(path, options);
  if (loaded.deployment !== undefined) return { deployment: loaded.deployment };
  await reportInputProblem(io, loaded.problem, textOption(invocation, "format") === "json" ? "json" : "pretty");
  return { status: USAGE };
}
