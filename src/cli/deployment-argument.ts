import { dirname } from "node:path";
import { plainText, shown } from "../base/shown.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { nearestConfig } from "../workspace/find-deployments.ts";
import { displayName, STDIN_NAME } from "../workspace/paths.ts";
import { loadDeployment, loadFound, type LoadOptions, type LoadOutcome } from "../workspace/load-deployment.ts";
import { MAX_TEXT_BYTES } from "../diagnostics/input-problem.ts";
import { textOf } from "../workspace/read-file.ts";
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
  const isReadByNode = invocation.io.argv.some((word) => /^--env-file(?:=|$)/.test(word));
  return { envFile, release, target, pipes: isReadByNode ? null : new Map() };
}

/**
 * The path of the deployment that a command is about: as given, else the working directory, or the nearest directory above
 * it that is a deployment. Which that is, is said.
 */
export function deploymentPath(io: ProcessIo, given: string | undefined): string {
  if (given !== undefined) return given;
  const nearest = nearestConfig(io.cwd);
  if (nearest === null || dirname(nearest) === io.cwd) return ".";
  tellAbove(io, displayName(nearest, io.cwd));
  return dirname(nearest);
}

/** Says which deployment was found above the working directory. */
export function tellAbove(io: ProcessIo, config: string): void {
  io.stderr.write(shown`info: no deployment is here; the nearest above is ${plainText(config)}\n`);
}

/**
 * Loads the one deployment that a command is about, from its first argument ({@link deploymentPath}; `-`: stdin) and the options `release`, `target` and `env-file`. A problem is reported; its exit status comes back then.
 */
export async function loadDeploymentArgument(
  invocation: Invocation,
  path = deploymentPath(invocation.io, invocation.args[0]),
): Promise<{ deployment: Deployment } | { status: number }> {
  const { io } = invocation;
  const options: LoadOptions = { cwd: io.cwd, ...loadFlags(invocation) };
  const loaded = path === "-" ? await loadStdin(io, options) : loadDeployment(path, options);
  if (loaded.deployment !== undefined) return { deployment: loaded.deployment };
  return { status: await reportInputProblem(io, loaded.problem, wantsJson(invocation)) };
}
