import { isDigestPinned, readImageReference } from "../catalog/grammar/image-reference.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { toolBinary } from "../deployment/tools.ts";
import { nothingToBuild } from "./build-context.ts";
import { baseImages, copiedImages, foreignPlatform, readStages, replaceBase } from "./dockerfile/stages.ts";
import { PublishError } from "./publish-error.ts";

/** A layer image as it will be built. */
export interface Layer {
  /** The image that decides what agents find beside the tools: the one that can move, else the first; null for `scratch`. */
  readonly base: string | null;
  /** `base`, where it can move; what `sandbox publish` pins before it builds. */
  readonly mutable: string | null;
  readonly images: readonly string[];
  /** The Dockerfile; with `pin`, on that instead of `mutable`. */
  readonly dockerfile: (pin?: string) => string;
  readonly warnings: readonly string[];
}

/** What a layer is for: `publish` demands that the image really is one for agents' machines. */
export interface LayerOptions {
  /** Base image, where `sandbox/` has no Dockerfile; null where not given. */
  readonly from: string | null;
  readonly publishes: boolean;
}

const DOCKERFILE = "sandbox/Dockerfile";

/** `file` is the path below `sandbox/` of the file that is the command; null where the Dockerfile brings it. */
type InstalledTool = { readonly command: string; readonly file: string | null };

/**
 * Reads what `sandbox/` says about its image. Nothing is run or written.
 *
 * @throws {PublishError}
 */
export function readLayer(deployment: Deployment, options: LayerOptions): Layer {
  const entry = deployment.inputs.sandboxTree.find(({ path }) => path === DOCKERFILE);
  const tools = deployment.tools.flatMap((tool): InstalledTool[] => {
    const command = toolBinary(tool);
    if (command === null) return [];
    return [{ command, file: tool.files.has(command) ? `tools/${tool.directory}/${command}` : null }];
  });
  if (entry === undefined && tools.length === 0) throw nothingToBuild();
  if (entry === undefined) return fromTools(deployment, tools, options);
  if (entry.text !== null) return fromDockerfile(deployment, entry.text, tools, options);
  const help = "make it a regular file of UTF-8 text below 1 MiB, not a link";
  throw new PublishError(`${DOCKERFILE} cannot be read as a text file`, help);
}

function fromDockerfile(
  { config }: Deployment,
  text: string,
  tools: readonly InstalledTool[],
  { from, publishes }: LayerOptions,
): Layer {
  const { stages, lines } = readStages(text);
  const { images, mutable } = baseImages(stages);
  const platform = foreignPlatform(stages);
  if (publishes && platform !== null) {
    throw new PublishError(
      `the final stage of ${DOCKERFILE} is made for another platform than linux/amd64, which agents' machines are`,
      "leave `--platform` out of the FROM of the final stage",
    );
  }
  const known = config.sandbox?.baseImage?.trim() ?? "";
  const isPinned = mutable !== null && isDigestPinned(known) && known.split("@")[0] === mutable;
  const usable = isPinned ? replaceBase(text, stages, mutable, known) : text;
  const moving = isPinned ? null : mutable;
  const copied = copiedImages(lines, stages);
  const unpinned = copied.filter((image) => !isDigestPinned(image));
  return {
    base: isPinned ? known : (mutable ?? images[0] ?? null),
    mutable: moving,
    images: [...images.map((image) => (isPinned && image === mutable ? known : image)), ...copied],
    dockerfile: (pin) => {
      const pinned = pin === undefined || moving === null ? usable : replaceBase(usable, stages, moving, pin);
      return `${pinned.trimEnd()}\n${presenceCheck(tools)}`;
    },
    warnings: [
      ...(from === null ? [] : [`--from is ignored: ${DOCKERFILE} names what it builds on`]),
      ...unpinned.map(
        (image) => `${DOCKERFILE} takes files from \`${image}\`, which no digest pins: another build may get others`,
      ),
    ],
  };
}

function fromTools({ config, release }: Deployment, tools: readonly InstalledTool[], { from }: LayerOptions): Layer {
  const base = from ?? (config.sandbox?.baseImage?.trim() || release.release.sandboxBase);
  if (base === null) {
    throw new PublishError(
      `nothing says what to build on: there is no ${DOCKERFILE}, and qm ${release.resolved} names no base image`,
      "name one with --from or in `sandbox.baseImage`, or write a sandbox/Dockerfile",
    );
  }
  const reading = readImageReference(base);
  const help = "name an image by its registry, repository and tag or digest";
  if (!reading.ok) throw new PublishError(`the base image ${reading.reason}`, help);
  const copies = tools.flatMap(({ command, file }) =>
    file === null ? [] : [`COPY --chmod=0755 ${JSON.stringify([file, `/usr/local/bin/${command}`])}\n`],
  );
  return {
    base,
    mutable: reading.reference.digest === null ? base : null,
    images: [base],
    dockerfile: (pin = base) => `FROM ${pin}\n${copies.join("")}${presenceCheck(tools)}`,
    warnings: [],
  };
}

/** Fails the build where a tool's command is missing. In JSON form, so that SHELL and `escape` of the Dockerfile do not touch it. */
function presenceCheck(tools: readonly InstalledTool[]): string {
  if (tools.length === 0) return "";
  const names = tools.map(({ command }) => `'${command}'`).join(" ");
  const script = `for command in ${names}; do command -v "$command" >/dev/null 2>&1 || { echo "the command $command of sandbox/tools is not on PATH in the image" >&2; exit 1; }; done`;
  return `RUN ${JSON.stringify(["/bin/sh", "-c", script])}\n`;
}
