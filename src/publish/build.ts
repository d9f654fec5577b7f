import { readImageReference } from "../catalog/grammar/image-reference.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { readContext } from "./build-context.ts";
import { writeDockerfile } from "./build-directory.ts";
import { readLayer } from "./layer.ts";
import { bad, good, type Outcome } from "./outcome.ts";
import type { Programs } from "./run-commands.ts";
import { buildStep, type Step } from "./commands.ts";
import { withTemporary } from "./temporary.ts";

export interface BuildOptions {
  readonly from: string | null;
  /** Name of the image; null for `<orgId>-sandbox:local`. */
  readonly tag: string | null;
}

/** A build that can be run. */
export interface Build {
  readonly tag: string;
  readonly dockerfile: string;
  /** Absolute path that docker builds from. */
  readonly context: string;
  /** The step, with the Dockerfile at a path. */
  readonly step: (dockerfile: string) => Step;
  readonly warnings: readonly string[];
}

/** Decides what to build from a deployment directory; runs and writes nothing. */
export async function planBuild(
  deployment: Deployment,
  directory: string,
  { from, tag }: BuildOptions,
): Promise<Outcome<Build>> {
  const context = readContext(directory);
  if (!context.ok) return context;
  const layer = await readLayer(deployment, { from, publishes: false });
  if (!layer.ok) return layer;
  const name = tag ?? `${deployment.config.orgId ?? "qm"}-sandbox:local`;
  const reading = readImageReference(name);
  if (!reading.ok)
    return bad(`the name of the image ${reading.reason}`, "name it with --tag, such as `acme-sandbox:local`");
  if (reading.reference.digest !== null)
    return bad("--tag names a digest, which only a registry can give", "leave out `@` and what follows");
  return good({
    tag: name,
    dockerfile: layer.value.dockerfile(),
    context: context.value.path,
    step: (file) => buildStep(name, file, context.value.path),
    warnings: layer.value.warnings,
  });
}

/** Builds the image into this host's docker. */
export function runBuild(build: Build, programs: Programs): Promise<Outcome<string>> {
  return withTemporary((directory) =>
    programs.run(build.step(writeDockerfile(directory, build.dockerfile, build.context))),
  );
}
