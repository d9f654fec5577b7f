import { join } from "node:path";
import type { Deployment } from "../deployment/deployment.ts";
import type { ConfigChange } from "../diagnostics/diagnostic.ts";
import { readTextFile } from "../workspace/read-file.ts";
import { fingerprint, readContext } from "./build-context.ts";
import { needsFlyLogin, repositoryOf, tagged } from "./repository.ts";
import { writeDockerfile } from "./build-directory.ts";
import { pinChanges, pinnedBase, pushedDigest } from "./digest.ts";
import { type Layer, readLayer } from "./layer.ts";
import { bad, good, type Outcome } from "./outcome.ts";
import type { Programs } from "./run-commands.ts";
import { canRecord, record } from "./record-pin.ts";
import { mayPublish } from "./refusal.ts";
import { inspectStep, LOGIN_STEP, pullStep, pushStep } from "./commands.ts";
import { withTemporary } from "./temporary.ts";
import { flyToken } from "./fly-token.ts";

export interface PublishOptions {
  readonly app: string | null;
  readonly from: string | null;
  readonly tag: string | null;
}

/** A publish that can be run. */
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
  readonly changes: (digest: string, base: string | null) => readonly ConfigChange[];
}

/** What a publish made. */
export interface Published {
  /** The pushed image by its digest. */
  readonly image: string;
  readonly base: string | null;
}

const UNKNOWN_DIGEST = `sha256:${"0".repeat(64)}`;

/**
 * Decides what to publish from a deployment directory; runs and writes nothing. Whether the backend boots a published
 * image is asked before anything else is looked at.
 */
export async function planPublish(
  deployment: Deployment,
  place: {
    readonly directory: string;
    readonly config: string;
    readonly environment: { readonly [name: string]: string | undefined };
  },
  { app, from, tag }: PublishOptions,
): Promise<Outcome<Publish>> {
  const allowed = mayPublish(deployment);
  if (!allowed.ok) return allowed;
  // First: of what is behind a link the layer knows nothing, and would call it empty.
  const context = readContext(place.directory);
  if (!context.ok) return context;
  const layer = await readLayer(deployment, { from, publishes: true });
  if (!layer.ok) return layer;
  const { sandbox } = deployment.config;
  const repository = repositoryOf(app, sandbox);
  if (!repository.ok) return repository;
  const image = tagged(repository.value, tag ?? `layer-${fingerprint(context.value, layer.value.dockerfile())}`);
  if (!image.ok) return image;
  const token = needsFlyLogin([image.value, ...layer.value.images])
    ? flyToken(deployment, place.environment)
    : good(null);
  if (!token.ok) return token;
  const changes = (digest: string, base: string | null): readonly ConfigChange[] =>
    pinChanges(`${repository.value}@${digest}`, base, sandbox?.baseImage);
  const recordable = canRecord(place.config, deployment.inputs.config.text, changes(UNKNOWN_DIGEST, layer.value.base));
  if (!recordable.ok) return recordable;
  return good({
    layer: layer.value,
    repository: repository.value,
    image: image.value,
    context: context.value.path,
    token: token.value,
    changes,
  });
}

/** Signs in, pins the base, builds, pushes and records. The config changes only when everything else is done. */
export async function runPublish(
  publish: Publish,
  config: { readonly path: string; readonly file: string },
  programs: Programs,
): Promise<Outcome<Published>> {
  const pushed = await pinAndPush(publish, programs);
  if (!pushed.ok) return bad(pushed.problem.message, `${pushed.problem.help}; nothing was recorded`);
  const { digest, base } = pushed.value;
  const image = `${publish.repository}@${digest}`;
  const recorded = await record(config.path, config.file, publish.changes(digest, base));
  if (recorded.ok) return good({ image, base });
  const byHand = `the image is pushed: set \`sandbox.image\` to ${image}${base === null ? "" : ` and \`sandbox.baseImage\` to ${base}`} by hand`;
  return bad(recorded.problem.message, byHand);
}

async function pinAndPush(
  publish: Publish,
  programs: Programs,
): Promise<Outcome<{ readonly digest: string; readonly base: string | null }>> {
  const signedIn = await signIn(publish, programs);
  if (!signedIn.ok) return signedIn;
  const base = await pinBase(publish.layer, programs);
  if (!base.ok) return base;
  const digest = await push(publish, base.value, programs);
  return digest.ok ? good({ digest: digest.value, base: base.value }) : digest;
}

async function signIn({ token }: Publish, programs: Programs): Promise<Outcome<string>> {
  if (token === null) return good("");
  // flyctl prefers the second name where both are set.
  return programs.run(LOGIN_STEP, { secrets: { FLY_API_TOKEN: token, FLY_ACCESS_TOKEN: token } });
}

async function pinBase({ base, mutable }: Layer, programs: Programs): Promise<Outcome<string | null>> {
  if (mutable === null) return good(base);
  const pulled = await programs.run(pullStep(mutable));
  if (!pulled.ok) return pulled;
  const digests = await programs.run(inspectStep(mutable), { captures: true });
  return digests.ok ? pinnedBase(mutable, digests.value) : digests;
}

function push({ layer, image, context }: Publish, base: string | null, programs: Programs): Promise<Outcome<string>> {
  return withTemporary(async (directory) => {
    const metadata = join(directory, "metadata.json");
    const dockerfile = writeDockerfile(
      directory,
      layer.dockerfile(layer.mutable === null ? undefined : (base ?? undefined)),
      context,
    );
    const pushed = await programs.run(pushStep(image, dockerfile, metadata, context));
    if (!pushed.ok) return pushed;
    return pushedDigest(readTextFile(metadata, "metadata.json").file?.text ?? "");
  });
}
