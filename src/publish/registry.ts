import { findStandIn } from "../base/stand-in.ts";
import { isDnsLabel } from "../catalog/grammar/dns.ts";
import { readImageReference } from "../catalog/grammar/image-reference.ts";
import { findSecretPlaceholder } from "../config/placeholder.ts";
import type { WrittenSandbox } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { PublishError } from "./publish-error.ts";

/** Fly's registry, the one that needs a login of its own. */
const FLY_REGISTRY = "registry.fly.io";

const APP_HELP =
  "name a Fly app, such as `acme-sandboxes`, or a repository, such as `registry.example.com/acme/sandbox`";

/**
 * The repository that a layer image is pushed to: what `--app` says (a repository where it has a slash, else a Fly app),
 * else the app of the sandboxes, else the repository of the image that is recorded now.
 *
 * @throws {PublishError}
 */
export function repositoryOf(app: string | null, sandbox: WrittenSandbox | undefined): string {
  const [named, what] = app === null ? [sandbox?.app?.trim() ?? "", "`sandbox.app`"] : [app.trim(), "--app"];
  if (named.includes("/")) return checkedRepository(named, what);
  if (isDnsLabel(named)) return `${FLY_REGISTRY}/${named}`;
  if (named !== "") throw new PublishError(`${what} is not the name of a Fly app`, APP_HELP);
  if (app !== null) throw new PublishError("--app is blank", APP_HELP);
  const reading = readImageReference(sandbox?.image?.trim() ?? "");
  if (reading.ok) return reading.reference.repository;
  const help = "name the Fly app of the sandboxes in `sandbox.app`, or give --app";
  throw new PublishError("nothing says where to push the image", help);
}

function checkedRepository(text: string, what: string): string {
  const reading = readImageReference(text);
  if (!reading.ok) throw new PublishError(`${what} ${reading.reason}`, APP_HELP);
  const { tag, digest } = reading.reference;
  if (tag === null && digest === null) return text;
  throw new PublishError(`${what} names an image, not a repository`, "leave tag and digest out; --tag sets the tag");
}

/** An image in a repository by its tag. */
export function taggedImage(repository: string, tag: string): string {
  const image = `${repository}:${tag}`;
  const reading = readImageReference(image);
  if (reading.ok && reading.reference.tag === tag) return image;
  throw new PublishError("--tag is not a tag", "use 1 to 128 letters, digits and `_.-`");
}

/** True where docker must be signed in to Fly's registry to read or push one of these images. */
export function needsFlyLogin(images: readonly string[]): boolean {
  return images.some((image) => {
    const reading = readImageReference(image);
    return reading.ok && reading.reference.domain === FLY_REGISTRY;
  });
}

/** The secret that pushes to Fly's registry. */
export const TOKEN_NAME = "FLY_SANDBOX_API_TOKEN";

/** The token for Fly's registry: from `.env`, then from the environment. */
export function flyToken({ env }: Deployment, environment: { readonly [name: string]: string | undefined }): string {
  const help = `make one with \`fly tokens create deploy -a <sandbox-app> -x 8760h\`, and set it with \`qm-deploy secrets set ${TOKEN_NAME}\``;
  const written = env?.values.get(TOKEN_NAME)?.trim() ?? "";
  const token = written === "" ? (environment[TOKEN_NAME]?.trim() ?? "") : written;
  const none = "has no value, neither in `.env` nor in the environment, and Fly's registry asks for it";
  if (token === "") throw new PublishError(`\`${TOKEN_NAME}\` ${none}`, help);
  if (findSecretPlaceholder(token) !== null)
    throw new PublishError(`\`${TOKEN_NAME}\` ${findStandIn(token)?.what ?? "is still a placeholder"}`, help);
  if (/[\0-\x1f\x7f]/.test(token)) throw new PublishError(`\`${TOKEN_NAME}\` has a control character in it`, help);
  return token;
}
