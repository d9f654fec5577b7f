/** An image reference by its parts, with docker's defaults filled in. */
export interface ImageReference {
  /** Registry, `docker.io` where none is written. */
  readonly domain: string;
  /** Repository in the registry; docker's official images are under `library/`. */
  readonly path: string;
  readonly tag: string | null;
  /** `sha256:<64 hex>` or another algorithm's. */
  readonly digest: string | null;
  /** What is written before tag and digest. */
  readonly repository: string;
}

/** `reason` completes "`imageOverrides.core` …". */
export type ImageReading =
  { readonly ok: true; readonly reference: ImageReference } | { readonly ok: false; readonly reason: string };

const HOST =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9A-Fa-f:]+\])(?::\d+)?$/;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}$/;
/** Hex digits that the registered algorithms have. */
const DIGEST_LENGTHS = new Map([
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
]);
const LONGEST_PATH = 255;

function refuse(reason: string): ImageReading {
  return { ok: false, reason };
}

function digestProblem(digest: string): string | null {
  if (!DIGEST.test(digest)) return "has a digest that is not `sha256:` and 64 hexadecimal digits";
  const [algorithm, hex] = digest.split(":") as [string, string];
  const length = DIGEST_LENGTHS.get(algorithm);
  if (length === undefined) return "has a digest of an algorithm that registries do not know";
  return hex.length === length && hex === hex.toLowerCase()
    ? null
    : `has a digest that is not \`${algorithm}:\` and ${length} lower-case hexadecimal digits`;
}

/** Splits off the registry as docker does: a first part with a dot, a colon or an upper-case letter, or `localhost`. */
function splitDomain(name: string): { domain: string; path: string } {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  if (slash > 0 && (/[.:A-Z]/.test(first) || first === "localhost"))
    return { domain: first, path: name.slice(slash + 1) };
  return { domain: "docker.io", path: name.includes("/") ? name : `library/${name}` };
}

/** Reads an image reference by the grammar of distribution/reference, as docker, fly and ECS do. */
export function readImageReference(text: string): ImageReading {
  if (text === "") return refuse("is blank");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return refuse("is a URL, not an image reference");
  if (/\s/.test(text)) return refuse("has a space in it");
  const at = text.indexOf("@");
  const digest = at < 0 ? null : text.slice(at + 1);
  const named = at < 0 ? text : text.slice(0, at);
  const problem = digest === null ? null : digestProblem(digest);
  if (problem !== null) return refuse(problem);
  const colon = named.lastIndexOf(":");
  const tagged = colon > named.lastIndexOf("/");
  const tag = tagged ? named.slice(colon + 1) : null;
  const repository = tagged ? named.slice(0, colon) : named;
  if (tag !== null && !TAG.test(tag)) return refuse("has a tag that is not 1 to 128 letters, digits and `_.-`");
  if (/^[0-9a-f]{64}$/.test(repository)) return refuse("is an image id, which no registry can be asked for");
  const { domain, path } = splitDomain(repository);
  if (!HOST.test(domain)) return refuse("does not start with a registry's host name");
  if (path.length > LONGEST_PATH) return refuse(`has a repository of more than ${LONGEST_PATH} characters`);
  if (/[A-Z]/.test(path)) return refuse("has upper-case letters in its repository");
  if (!path.split("/").every((part) => COMPONENT.test(part)))
    return refuse("has a repository that is not parts of a-z, 0-9 and single `._-` between slashes");
  return { ok: true, reference: { domain, path, tag, digest, repository } };
}

/** True when the reference names one image for good. */
export function isDigestPinned(text: string): boolean {
  const reading = readImageReference(text);
  return reading.ok && reading.reference.digest !== null;
}

/** The SHA-256 digest that a reference ends with, as `sha256:<hex>`; null without one. */
export function digestOf(text: string): string | null {
  return /@(sha256:[0-9a-f]{64})$/.exec(text)?.[1] ?? null;
}
