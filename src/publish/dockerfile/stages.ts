import { readImageReference } from "../../catalog/grammar/image-reference.ts";
import { bad, good, type Outcome } from "../outcome.ts";
import { type Instruction, readInstructions } from "./instructions.ts";

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

const STAGE_NAME = /^[a-z][a-z0-9_.-]*$/;
const HELP = "mend sandbox/Dockerfile; `docker buildx build --check sandbox` says more";

/** A Dockerfile, read as far as publishing needs it. */
export interface DockerfileReading {
  /** In the order of the file; at least one. */
  readonly stages: readonly Stage[];
  readonly lines: readonly Instruction[];
}

/** Reads a Dockerfile. Refused: what BuildKit refuses, and variables, which no digest can stand for. */
export async function readStages(text: string): Promise<Outcome<DockerfileReading>> {
  const reading = readInstructions(text);
  if (!reading.ok) return bad(`sandbox/Dockerfile: line ${reading.line} ${reading.reason}`, HELP);
  const { DockerfileParser } = await import("dockerfile-ast");
  const stages: Stage[] = [];
  for (const line of reading.lines.filter((one) => /^from(?:\s|$)/i.test(one.text))) {
    const where = `sandbox/Dockerfile: line ${line.first + 1}`;
    const [from] = line.text.includes(reading.escape) ? [] : DockerfileParser.parse(line.text).getFROMs();
    const [image, as, name, ...rest] = from?.getArguments().map((argument) => argument.getValue()) ?? [];
    const flags = from?.getFlags() ?? [];
    if (
      image === undefined ||
      rest.length > 0 ||
      (as !== undefined && (as.toLowerCase() !== "as" || name === undefined))
    ) {
      return bad(`${where} is no FROM of the form \`FROM [--platform=<platform>] <image> [AS <name>]\``, HELP);
    }
    if (flags.length > 1 || flags.some((flag) => flag.getName() !== "platform" || !flag.getValue()))
      return bad(`${where} has a FROM with other flags than one \`--platform=<platform>\``, HELP);
    if (name !== undefined && !STAGE_NAME.test(name.toLowerCase()))
      return bad(`${where} names a stage with other characters than letters, digits and \`_.-\``, HELP);
    if (image.includes("$"))
      return bad(`${where} builds on a variable, which cannot be pinned by a digest`, "write the image out in FROM");
    const isStage = stages.some((stage) => stage.name === image.toLowerCase());
    const reference = isStage || image === "scratch" ? null : readImageReference(image);
    if (reference?.ok === false) return bad(`${where}: the image of FROM ${reference.reason}`, HELP);
    stages.push({
      from: image,
      isStage,
      platform: flags[0]?.getValue() ?? null,
      name: name?.toLowerCase() ?? null,
      line,
    });
  }
  return stages.length === 0
    ? bad("sandbox/Dockerfile has no FROM", "start it with the image to build on")
    : good({ stages, lines: reading.lines });
}
