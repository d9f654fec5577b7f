import { dirname, resolve } from "node:path";
import type { Deployment } from "../../../deployment/deployment.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { shownFileLines } from "../../../base/file-text.ts";
import { foreign, joined, lines, ours, type Piece, plainText, type Shown, shown } from "../../../base/shown.ts";
import { blockingDiagnostics, isToolkitFault } from "../../../rules/blocking.ts";
import { runRules } from "../../../rules/run-rules.ts";
import { PublishError } from "../../../publish/publish-error.ts";
import { CommandRunner } from "../../../publish/commands.ts";
import { TOKEN_NAME } from "../../../publish/registry.ts";
import { INTERNAL, PROBLEMS } from "../../exit-status.ts";
import { printError, usageError } from "../../output.ts";
import type { ProcessIo } from "../../process-io.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import { printDiagnostics, reportWriteErrors } from "../../reporting.ts";
import type { Invocation } from "../../command-definition.ts";

/** A deployment on disk that a sandbox command is about, and what of `check` speaks against it. */
export interface Gated {
  readonly deployment: Deployment;
  readonly errors: readonly Diagnostic[];
  /** Absolute paths, and the config's name in reports. */
  readonly directory: string;
  readonly config: { readonly path: string; readonly file: string };
}

/** Loads and judges the deployment; a problem is reported, and its exit status comes back then. */
export async function gated(
  invocation: Invocation,
  operation: "sandbox build" | "sandbox publish",
): Promise<Gated | { readonly status: number }> {
  const { io, args } = invocation;
  if (args[0] === "-")
    return { status: usageError(io, "a config on stdin has no `sandbox/` beside it: name a deployment directory") };
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded;
  const { deployment } = loaded;
  const { file } = deployment.inputs.config;
  const config = { path: resolve(io.cwd, file), file };
  const errors = blockingDiagnostics(operation, runRules(deployment), deployment);
  return { deployment, errors, directory: dirname(config.path), config };
}

/** Shows the errors that stop a command; resolves to its exit status. */
export async function stopped(io: ProcessIo, { deployment, errors }: Gated, what: string): Promise<number> {
  await printDiagnostics(io, deployment, errors);
  printError(io, `nothing was ${what}: \`qm-deploy check\` refuses the deployment`);
  return errors.some(isToolkitFault) ? INTERNAL : PROBLEMS;
}

/** Does the work of a command; what stops it is said, and the exit status for it comes back then. */
export async function reportRefusals(io: ProcessIo, work: () => Promise<number> | number): Promise<number> {
  try {
    return await reportWriteErrors(io, async () => work());
  } catch (error) {
    if (!(error instanceof PublishError)) throw error;
    printError(io, error.message, error.help);
    return PROBLEMS;
  }
}

export function warn(io: ProcessIo, warnings: readonly string[]): void {
  for (const warning of warnings) io.stderr.write(shown`warning: ${warning}\n`);
}

/** The programs of this host; none finds the token by itself. From now on an interrupt ends the program that runs, and then the command in good order. */
export function commandRunner(io: ProcessIo): CommandRunner {
  return new CommandRunner({
    environment: { ...io.env, [TOKEN_NAME]: undefined },
    tell: (text) => void io.stderr.write(lines(text.trimEnd().split(/\r?\n/).map(plainText))),
    interrupted: io.interrupted(),
  });
}

/** Lines as the body of a report: indented. */
export function body(all: readonly Piece[]): Shown {
  return joined(
    all.map((line) => ours(`  ${foreign(line).text}`.trimEnd())),
    ours("\n"),
  );
}

/** A file as the body of a report, without what may be secret in it. */
export function fileBody(text: string): Shown {
  return body(shownFileLines(text.replace(/\n$/, "")));
}
