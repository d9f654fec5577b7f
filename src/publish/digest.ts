import { readImageReference } from "../catalog/grammar/image-reference.ts";
import type { ConfigChange } from "../diagnostics/diagnostic.ts";
import { bad, good, type Outcome } from "./outcome.ts";

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The digest that buildx writes into its metadata file after a push. */
export function pushedDigest(metadata: string): Outcome<string> {
  const value = parse(metadata);
  const digest =
    typeof value === "object" && value !== null && Object.hasOwn(value, "containerimage.digest")
      ? (value as Record<string, unknown>)["containerimage.digest"]
      : null;
  if (typeof digest === "string" && DIGEST.test(digest)) return good(digest);
  return bad("docker buildx did not say under which digest it pushed the image", "update Docker and its Buildx plugin");
}

/** An image with the digest by which its own registry knows it, from docker's `RepoDigests`; the tag stays readable in it. */
export function pinnedBase(image: string, repoDigests: string): Outcome<string> {
  const wanted = readImageReference(image);
  const listed = parse(repoDigests);
  for (const item of Array.isArray(listed) ? listed : []) {
    const reading = typeof item === "string" ? readImageReference(item) : null;
    if (!wanted.ok || reading?.ok !== true || reading.reference.digest === null) continue;
    const { domain, path, digest } = reading.reference;
    if (domain === wanted.reference.domain && path === wanted.reference.path && DIGEST.test(digest))
      return good(`${image}@${digest}`);
  }
  return bad(
    `docker knows no digest of \`${image}\` in its own registry`,
    "pin it yourself: end its FROM with `@sha256:` and its digest",
  );
}

/** What a publish changes in the config. A base of `scratch` is nothing to record. */
export function pinChanges(image: string, base: string | null, recorded: string | undefined): readonly ConfigChange[] {
  const pin: ConfigChange = { kind: "set", path: ["sandbox", "image"], value: image };
  if (base !== null) return [pin, { kind: "set", path: ["sandbox", "baseImage"], value: base }];
  return recorded === undefined ? [pin] : [pin, { kind: "remove", path: ["sandbox", "baseImage"] }];
}
