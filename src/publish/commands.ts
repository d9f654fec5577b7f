import { shellWord } from "../base/shell-word.ts";

/** A program to run, without a shell. */
export interface Step {
  readonly program: "docker" | "fly";
  readonly args: readonly string[];
}

/** What agents' machines are. */
const PLATFORM = "linux/amd64";

/** Builds an image for this host's docker. */
export function buildStep(tag: string, dockerfile: string, context: string): Step {
  return {
    program: "docker",
    args: ["buildx", "build", "--platform", PLATFORM, "--load", "-t", tag, "--file", dockerfile, context],
  };
}

/** Builds an image, pushes it and writes its digest into a file. Provenance would make the digest that of an index. */
export function pushStep(image: string, dockerfile: string, metadata: string, context: string): Step {
  const args = [
    "buildx",
    "build",
    "--platform",
    PLATFORM,
    "--push",
    "--provenance=false",
    "--metadata-file",
    metadata,
    "-t",
    image,
    "--file",
    dockerfile,
    context,
  ];
  return { program: "docker", args };
}

export function pullStep(image: string): Step {
  return { program: "docker", args: ["pull", "--platform", PLATFORM, image] };
}

/** Prints the digests by which registries know a pulled image, as JSON. */
export function inspectStep(image: string): Step {
  return { program: "docker", args: ["image", "inspect", "--format", "{{json .RepoDigests}}", image] };
}

/** Signs docker in to Fly's registry with the token in the environment. */
export const LOGIN_STEP: Step = { program: "fly", args: ["auth", "docker"] };

/** A step as one would type it. */
export function stepText({ program, args }: Step): string {
  return [program, ...args].map(shellWord).join(" ");
}
