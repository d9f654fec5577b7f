import { isDnsLabel } from "../catalog/grammar/dns.ts";
import { readImageReference } from "../catalog/grammar/image-reference.ts";
import type { WrittenSandbox } from "../config/written-config.ts";
import { bad, good, type Outcome } from "./outcome.ts";

/** Fly's registry, the one that needs a login of its own. */
const FLY_REGISTRY = "registry.fly.io";

const APP_HELP =
  "name a Fly app, such as `acme-sandboxes`, or a repository, such as `registry.example.com/acme/sandbox`";

/**
 * The repository that a layer image is pushed to: what `--app` says (a repository where it has a slash, else a Fly app),
 * else the app of the sandboxes, else the repository of the image that is recorded now.
 */
export function repositoryOf(app: string | null, sandbox: WrittenSandbox | undefined): Outcome<string> {
  const [named, what] = app === null ? [sandbox?.app?.trim() ?? "", "`sandbox.app`"] : [app.trim(), "--app"];
  if (named.includes("/")) return repository(named, what);
  if (named !== "")
    return isDnsLabel(named) ? good(`${FLY_REGISTRY}/${named}`) : bad(`${what} is not the name of a Fly app`, APP_HELP);
  if (app !== null) return bad("--app is blank", APP_HELP);
  const reading = readImageReference(sandbox?.image?.trim() ?? "");
  return reading.ok
    ? good(reading.reference.repository)
    : bad("nothing says where to push the image", "name the Fly app of the sandboxes in `sandbox.app`, or give --app");
}

function repository(text: string, what: string): Outcome<string> {
  const reading = readImageReference(text);
  if (!reading.ok) return bad(`${what} ${reading.reason}`, APP_HELP);
  const { tag, digest } = reading.reference;
  return tag === null && digest === null
    ? good(text)
    : bad(`${what} names an image, not a repository`, "leave tag and digest out; --tag sets the tag");
}

/** An image in a repository by its tag. */
export function tagged(repositoryName: string, tag: string): Outcome<string> {
  const reading = readImageReference(`${repositoryName}:${tag}`);
  return reading.ok && reading.reference.tag === tag
    ? good(`${repositoryName}:${tag}`)
    : bad("--tag is not a tag", "use 1 to 128 letters, digits and `_.-`");
}

/** True where docker must be signed in to Fly's registry to read or push one of these images. */
export function needsFlyLogin(images: readonly string[]): boolean {
  return images.some((image) => {
    const reading = readImageReference(image);
    return reading.ok && reading.reference.domain === FLY_REGISTRY;
  });
}
