import type { Deployment } from "../deployment/deployment.ts";
import { STDIN_NAME } from "../workspace/paths.ts";
import { loadDeployment, loadFound, type LoadOptions, type LoadOutcome } from "../workspace/load-deployment.ts";
import { MAX_TEXT_BYTES, textOf } from "../workspace/read-file.ts";
import { type ProcessIo, readStdin } from "./process-io.ts";
import { type Invocation, textOption, wantsJson } from "./command-definition.ts";
import { reportInputProblem } from "./reporting.ts";

async function loadStdin(io: ProcessIo, options: LoadOptions): Promise<LoadOutcome> {
  const read = textOf(await readStdin(io, MAX_TEXT_BYTES), STDIN_NAME);
  if ("problem" in read) return read;
  return loadFound({ path: null, file: STDIN_NAME }, { ...options, stdin: read.text });
}

/** The options that say how a deployment is read. */
export function loadFlags(invocation: Invocation): Omit<LoadOptions, "cwd"> {
  const [envFile, release, target] = ["env-file", "release", "target"].map((name) => textOption(invocation, name));
  return { envFile, release, target };
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
  const options: LoadOptions = { cwd: io.cwd, ...loadFlags(invocation) };
  const loaded = path === "-" ? await loadStdin(io, options) : loadDeployment(path, options);
  if (loaded.deployment !== undefined) return { deployment: loaded.deployment };
  return { status: await reportInputProblem(io, loaded.problem, wantsJson(invocation)) };
}
