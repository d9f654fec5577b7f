import { readImageReference } from "../catalog/grammar/image-reference.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { readContext, withBuildDirectory, writeDockerfile } from "./build-context.ts";
import { buildCommand, type Command, type CommandRunner } from "./commands.ts";
import { readLayer } from "./layer.ts";
import { PublishError } from "./publish-error.ts";

export interface Build {
  readonly tag: string;
  readonly dockerfile: string;
  /** Absolute path that docker builds from. */
  readonly context: string;
  /** The command, with the Dockerfile at a path. */
  readonly command: (dockerfile: string) => Command;
  readonly warnings: readonly string[];
}

/**
 * Decides what to build from a deployment directory; runs and writes nothing. The name of the image is `tag`, else
 * `<orgId>-sandbox:local`.
 *
 * @throws {PublishError}
 */
export function planBuild(
  deployment: Deployment,
  directory: string,
  { from, tag }: { readonly from: string | null; readonly tag: string | null },
): Build {
  const context = readContext(directory).path;
  const { dockerfile, warnings } = readLayer(deployment, { from, publishes: false });
  const name = tag ?? `${deployment.config.orgId ?? "qm"}-sandbox:local`;
  const reading = readImageReference(name);
  const help = "name it with --tag, such as `acme-sandbox:local`";
  if (!reading.ok) throw new PublishError(`the name of the image ${reading.reason}`, help);
  if (reading.reference.digest !== null)
    throw new PublishError("--tag names a digest, which only a registry can give", "leave out `@` and what follows");
  const command = (file: string): Command => buildCommand(name, file, context);
  return { tag: name, dockerfile: dockerfile(), context, command, warnings };
}

/** Builds the image into this host's docker. */
export async function runBuild({ command, dockerfile, context }: Build, runner: CommandRunner): Promise<void> {
  await withBuildDirectory((directory) => runner.run(command(writeDockerfile(directory, dockerfile, context))));
}
