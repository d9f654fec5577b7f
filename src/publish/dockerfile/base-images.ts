import { isDigestPinned } from "../../catalog/grammar/image-reference.ts";
import { bad, good, type Outcome } from "../outcome.ts";
import type { Instruction } from "./instructions.ts";
import type { Stage } from "./stages.ts";

/** What a Dockerfile builds on. */
export interface Bases {
  /** Images from outside, as written, each once; without `scratch`. */
  readonly images: readonly string[];
  /** The one of them that no digest pins; null where all are pinned. */
  readonly mutable: string | null;
}

/** The images that the stages build on. More than one that can move is refused: the config records one. */
export function baseImages(stages: readonly Stage[]): Outcome<Bases> {
  const images = [
    ...new Set(stages.filter(({ from, isStage }) => !isStage && from !== "scratch").map(({ from }) => from)),
  ];
  const mutable = images.filter((image) => !isDigestPinned(image));
  if (mutable.length > 1) {
    const listed = mutable.map((image) => `\`${image}\``).join(", ");
    return bad(
      `sandbox/Dockerfile builds on ${mutable.length} images that are not pinned: ${listed}`,
      "end all of them but one with `@sha256:` and their digest",
    );
  }
  return good({ images, mutable: mutable[0] ?? null });
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
