import { join } from "node:path";
import { BACKENDS } from "../catalog/backends/index.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { ValueChange } from "../diagnostics/diagnostic.ts";
import { readTextFile } from "../workspace/read-file.ts";
import { fingerprint, readContext, withBuildDirectory, writeDockerfile } from "./build-context.ts";
import { type CommandRunner, type Host, inspectCommand, LOGIN_COMMAND, pullCommand, pushCommand } from "./commands.ts";
import { type Layer, readLayer } from "./layer.ts";
import { PublishError } from "./publish-error.ts";
import { checkRecordable, pinChanges, pinnedBase, pushedDigest, recordPin } from "./pin.ts";
import { flyToken, needsFlyLogin, repositoryOf, taggedImage } from "./registry.ts";

export interface Publish {
  readonly layer: Layer;
  readonly repository: string;
  /** Repository and tag that the image is pushed under. */
  readonly image: string;
  /** Absolute path that docker builds from. */
  readonly context: string;
  /** The token that docker is signed in to Fly's registry with; null where no image is there. */
  readonly token: string | null;
  /** The changes of the config, once digest and base are known. */
  readonly changes: (digest: string, base: string | null) => readonly ValueChange[];
}

/** The pushed image by its digest, and what it was built on. */
export type Published = { readonly image: string; readonly base: string | null };

const UNKNOWN_DIGEST = `sha256:${"0".repeat(64)}`;

/**
 * Decides what to publish from a deployment directory; runs and writes nothing. Whether the backend boots a published
 * image is asked before anything else is looked at.
 *
 * @throws {PublishError}
 */
export function planPublish(
  deployment: Deployment,
  place: { readonly directory: string; readonly config: string; readonly environment: Host["environment"] },
  { app, from, tag }: { readonly [option in "app" | "from" | "tag"]: string | null },
): Publish {
  checkPublishable(deployment);
  // First: of what is behind a link the layer knows nothing, and would call it empty.
  const context = readContext(place.directory);
  const layer = readLayer(deployment, { from, publishes: true });
  const { sandbox } = deployment.config;
  const repository = repositoryOf(app, sandbox);
  const image = taggedImage(repository, tag ?? `layer-${fingerprint(context, layer.dockerfile())}`);
  const token = needsFlyLogin([image, ...layer.images]) ? flyToken(deployment, place.environment) : null;
  const changes = (digest: string, base: string | null): readonly ValueChange[] =>
    pinChanges(`${repository}@${digest}`, base, sandbox?.baseImage);
  checkRecordable(place.config, deployment.inputs.config.text, changes(UNKNOWN_DIGEST, layer.base));
  return { layer, repository, image, context: context.path, token, changes };
}

/**
 * Signs in, pins the base, builds, pushes and records. The config changes only when everything else is done.
 *
 * @throws {PublishError}
 */
export async function runPublish(
  publish: Publish,
  config: { readonly path: string; readonly file: string },
  runner: CommandRunner,
): Promise<Published> {
  const { base, digest } = await explained(
    () => pinAndPush(publish, runner),
    ({ help }) => `${help}; nothing was recorded`,
  );
  const image = `${publish.repository}@${digest}`;
  const alsoBase = base === null ? "" : ` and \`sandbox.baseImage\` to ${base}`;
  await explained(
    () => recordPin(config.path, config.file, publish.changes(digest, base)),
    () => `the image is pushed: set \`sandbox.image\` to ${image}${alsoBase} by hand`,
  );
  return { image, base };
}

/** Does work; what stops it gets a help that fits how far the publish had come. */
async function explained<T>(work: () => Promise<T>, help: (error: PublishError) => string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PublishError ? new PublishError(error.message, help(error)) : error;
  }
}

async function pinAndPush(
  { token, layer, image, context }: Publish,
  runner: CommandRunner,
): Promise<{ readonly digest: string; readonly base: string | null }> {
  // flyctl prefers the second name where both are set.
  if (token !== null) await runner.run(LOGIN_COMMAND, { secrets: { FLY_API_TOKEN: token, FLY_ACCESS_TOKEN: token } });
  const base = layer.mutable === null ? layer.base : await pinBase(layer.mutable, runner);
  const text = layer.dockerfile(layer.mutable === null ? undefined : (base ?? undefined));
  const digest = await withBuildDirectory(async (directory) => {
    const metadata = join(directory, "metadata.json");
    await runner.run(pushCommand(image, writeDockerfile(directory, text, context), metadata, context));
    return pushedDigest(readTextFile(metadata, "metadata.json").file?.text ?? "");
  });
  return { digest, base };
}

async function pinBase(mutable: string, runner: CommandRunner): Promise<string> {
  await runner.run(pullCommand(mutable));
  return pinnedBase(mutable, await runner.run(inspectCommand(mutable), { captures: true }));
}

/**
 * Checks that the backend that runs agents boots a layer image that is published; decided by the deployment alone, before
 * anything else is done.
 *
 * @throws {PublishError}
 */
export function checkPublishable({ sandbox, release, target }: Deployment): void {
  const refuse = (why: string, help: string): never => {
    throw new PublishError(`publish is refused${why}`, help);
  };
  const { effective } = sandbox;
  const help = "select one in `sandbox.backend`, and run `qm-deploy check`";
  if (effective === null) return refuse(": no sandbox backend is selected, so an image would reach no agent", help);
  if (effective.backend === null) {
    const known = BACKENDS.map(({ name }) => `\`${name}\``).join(", ");
    return refuse(": the selected sandbox backend is not one that qm-deploy knows", `known backends are ${known}`);
  }
  if (target === null) return refuse(": the hosting target is not known", "set `target` to docker, fly or aws");
  const plan = effective.backend.publish(release.release, target);
  if (plan.kind !== "layer-image") refuse(` for \`${effective.name}\`: ${plan.why}`, plan.instead);
}
