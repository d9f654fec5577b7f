import { digestOf } from "../catalog/grammar/image-reference.ts";
import type { LiveImage } from "./workload.ts";

/** Names of Docker Hub's registry, with the mirror that Fly pulls through (docs/contract/live.md#fly). */
const HUB = /^(?:index\.docker\.io|registry-1\.docker\.io|docker-hub-mirror\.fly\.io|docker\.io)\//;

/** A reference without the ways of writing that mean nothing: Docker Hub by its names, `library/`, and `latest`. */
function plainReference(reference: string): string {
  const [name = ""] = reference.split("@");
  const short = name.replace(HUB, "").replace(/^library\//, "");
  return /:[^/:]+$/.test(short) ? short : `${short}:latest`;
}

/** True where what runs is the rendered image: the same content where the rendered reference says which, else of the same name. */
export function isSameImage(rendered: LiveImage, running: LiveImage): boolean {
  const digest = digestOf(rendered.reference);
  return digest === null
    ? plainReference(rendered.reference) === plainReference(running.reference)
    : [...running.digests, digestOf(running.reference)].includes(digest);
}
