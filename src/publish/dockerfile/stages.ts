import { isDigestPinned, readImageReference } from "../../catalog/grammar/image-reference.ts";
import { PublishError } from "../publish-error.ts";
import { DockerfileError, type Instruction, readInstructions } from "../../base/dockerfile.ts";

const DOCKERFILE = "sandbox/Dockerfile";

/** One FROM of a Dockerfile. */
export interface Stage {
  /** What it builds on, as written: an image, `scratch` or the name of a stage above. */
  readonly from: string;
  /** True where `from` names a stage above. */
  readonly isStage: boolean;
  readonly platform: string | null;
  /** In lower case, as BuildKit compares them; null for a stage without a name. */
  readonly name: string | null;
  readonly line: Instruction;
}

/**
 * Reads a Dockerfile as far as publishing needs it. `stages` are in the order of the file, and at least one.
 *
 * @throws {PublishError} for what BuildKit refuses, and for variables, which no digest can stand for
 */
export function readStages(text: string): {
  readonly stages: readonly Stage[];
  readonly lines: readonly Instruction[];
} {
  const { lines, escape } = instructionsOf(text);
  const stages: Stage[] = [];
  for (const line of lines) if (/^from(?:\s|$)/i.test(line.text)) stages.push(readFrom(line, escape, stages));
  if (stages.length === 0)
    throw new PublishError("sandbox/Dockerfile has no FROM", "start it with the image to build on");
  return { stages, lines };
}

function instructionsOf(text: string): ReturnType<typeof readInstructions> {
  try {
    return readInstructions(text);
  } catch (error) {
    if (error instanceof DockerfileError) throw badDockerfile(`${DOCKERFILE}: ${error.message}`);
    throw error;
  }
}

/** A Dockerfile that BuildKit refuses too. */
function badDockerfile(message: string): PublishError {
  return new PublishError(message, "fix sandbox/Dockerfile; `docker buildx build --check sandbox` says more");
}

function readFrom(line: Instruction, escape: string, above: readonly Stage[]): Stage {
  const where = `${DOCKERFILE}: line ${line.first + 1}`;
  const words = line.text.includes(escape) ? [] : line.text.trim().split(/\s+/).slice(1);
  const isImage = (word: string): boolean => !word.startsWith("--");
  const flags = words.slice(0, words.findIndex(isImage));
  const [image, as, name, ...rest] = words.slice(flags.length);
  const isComplete = as === undefined || (as.toLowerCase() === "as" && name !== undefined);
  if (image === undefined || image.startsWith("--") || !isComplete || rest.length > 0)
    throw badDockerfile(`${where} is no FROM of the form \`FROM [--platform=<platform>] <image> [AS <name>]\``);
  const platform = /^--platform=(.+)$/.exec(flags[0] ?? "")?.[1] ?? null;
  if (flags.length > 1 || (flags.length === 1 && platform === null))
    throw badDockerfile(`${where} has a FROM with other flags than one \`--platform=<platform>\``);
  if (name !== undefined && !/^[a-z][a-z0-9_.-]*$/i.test(name))
    throw badDockerfile(`${where} names a stage with other characters than letters, digits and \`_.-\``);
  const variable = `${where} builds on a variable, which cannot be pinned by a digest`;
  if (image.includes("$")) throw new PublishError(variable, "write the image out in FROM");
  const isStage = above.some((stage) => stage.name === image.toLowerCase());
  const reference = isStage || image === "scratch" ? null : readImageReference(image);
  if (reference?.ok === false) throw badDockerfile(`${where}: the image of FROM ${reference.reason}`);
  return { from: image, isStage, platform, name: name?.toLowerCase() ?? null, line };
}

/**
 * The images from outside that the stages build on, as written, each once, without `scratch`; and the one of them that no
 * digest pins, null where all are pinned.
 *
 * @throws {PublishError} where more than one can move: the config records one
 */
export function baseImages(stages: readonly Stage[]): { readonly images: string[]; readonly mutable: string | null } {
  const outside = stages.filter(({ from, isStage }) => !isStage && from !== "scratch");
  const images = [...new Set(outside.map(({ from }) => from))];
  const mutable = images.filter((image) => !isDigestPinned(image));
  if (mutable.length > 1) {
    const listed = mutable.map((image) => `\`${image}\``).join(", ");
    const message = `sandbox/Dockerfile builds on ${mutable.length} images that are not pinned: ${listed}`;
    throw new PublishError(message, "end all of them but one with `@sha256:` and their digest");
  }
  return { images, mutable: mutable[0] ?? null };
}

/** Images from outside that instructions take files from (`COPY --from=…`, `RUN --mount=…,from=…`), each once. */
export function copiedImages(lines: readonly Instruction[], stages: readonly Stage[]): readonly string[] {
  const names = lines.flatMap(({ text }) => {
    const flags = /^(?:ONBUILD\s+)?(?:COPY|RUN)((?:\s+--\S+)*)/i.exec(text)?.[1] ?? "";
    return [...flags.matchAll(/\s--(?:from=|mount=(?:\S*,)?from=)([^\s,]+)/g)].map((match) => match[1] as string);
  });
  // A number names a stage by its place, and BuildKit refuses variables here by itself.
  return [...new Set(names)].filter(
    (name) => !/^\d+$|\$/.test(name) && !stages.some((stage) => stage.name === name.toLowerCase()),
  );
}

const SANDBOX_PLATFORMS: ReadonlySet<string> = new Set(["linux/amd64", "$TARGETPLATFORM", "${TARGETPLATFORM}"]);

/** The platform that keeps the final stage from being linux/amd64, its own or that of a stage below it; null where none does. */
export function foreignPlatform(stages: readonly Stage[]): string | null {
  let stage = stages.at(-1);
  while (stage !== undefined) {
    const { platform, from, isStage } = stage;
    if (platform !== null && !SANDBOX_PLATFORMS.has(platform)) return platform;
    const above = stages.slice(0, stages.indexOf(stage));
    stage = isStage ? above.findLast(({ name }) => name === from.toLowerCase()) : undefined;
  }
  return null;
}

/** The Dockerfile with each FROM of one image building on another. Only these instructions are written anew, each on one line. */
export function replaceBase(text: string, stages: readonly Stage[], from: string, to: string): string {
  const lines = text.split("\n");
  for (const stage of stages.filter((one) => !one.isStage && one.from === from).reverse()) {
    const { line } = stage;
    const platform = stage.platform === null ? "" : `--platform=${stage.platform} `;
    const name = stage.name === null ? "" : ` AS ${stage.name}`;
    lines.splice(line.first, line.last - line.first + 1, `FROM ${platform}${to}${name}`);
  }
  return lines.join("\n");
}
