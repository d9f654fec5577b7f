import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { DockerfileParser, JSONInstruction } from "dockerfile-ast";

/** An image that is built on the machine: an absolute Dockerfile and its context. */
export interface DockerfileImage {
  readonly dockerfile: string;
  readonly contextDir: string;
}

const SCHEME = "dockerfile:";
const CONTEXT = "?context=";

/**
 * A name for `startContainer` that stands for a Dockerfile and its context; by default the directory above the Dockerfile's
 * (`<env>/server/Dockerfile` has `<env>`); at most 1 GiB of it is sent. Throws when either is missing, or a COPY or ADD takes something that is not inside the context.
 */
export function dockerfileImage(path: string, contextDir?: string): string {
  const dockerfile = resolve(path);
  if (!isFile(dockerfile)) throw new TypeError(`there is no Dockerfile "${path}"`);
  const context = resolve(contextDir ?? dirname(dirname(dockerfile)));
  if (!(statSync(context, { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw new TypeError(`there is no directory "${contextDir ?? context}"`);
  for (const source of copiedSources(readFileSync(dockerfile, "utf8"))) {
    const problem = sourceProblem(context, source);
    if (problem !== null) throw new RangeError(`"${path}" copies "${source}", ${problem}`);
  }
  return `${SCHEME}${encodeURI(dockerfile)}${CONTEXT}${encodeURIComponent(context)}`;
}

/** What the name stands for, or null for a registry image. */
export function readDockerfileImage(image: string): DockerfileImage | null {
  if (!image.startsWith(SCHEME)) return null;
  const at = image.lastIndexOf(CONTEXT);
  try {
    if (at >= 0)
      return {
        dockerfile: decodeURI(image.slice(SCHEME.length, at)),
        contextDir: decodeURIComponent(image.slice(at + CONTEXT.length)),
      };
  } catch {
    // A `%` that encodes nothing: the same mistake.
  }
  throw new TypeError("an image that starts with `dockerfile:` must come from `imageFromDockerfile`");
}

/** What COPY and ADD take from the context. Sources from other stages, addresses and here-documents do not come from there. */
function copiedSources(text: string): string[] {
  const instructions = DockerfileParser.parse(text)
    .getInstructions()
    .filter((found) => found instanceof JSONInstruction && /^(?:COPY|ADD)$/i.test(found.getInstruction()));
  return (instructions as JSONInstruction[])
    .filter((copy) => !isFromElsewhere(copy))
    .flatMap((copy) => {
      const words = listed(copy) ?? copy.getArguments().map((word) => word.getValue());
      return words.slice(0, -1).filter((word) => !/^(?:https?:|git@|git:|ssh:|<<)/.test(word));
    });
}

/** The JSON form, which dockerfile-ast splits at blanks; null for the plain one. */
function listed(copy: JSONInstruction): string[] | null {
  const text = copy.getRawArgumentsContent() ?? "";
  const start = text.indexOf("[");
  if (copy.getOpeningBracket() === null || start < 0) return null;
  try {
    return (JSON.parse(text.slice(start)) as unknown[]).map(String);
  } catch {
    return null;
  }
}

function isFromElsewhere(copy: JSONInstruction): boolean {
  return copy.getFlags().some((flag) => flag.getName() === "from");
}

/** Docker counts a leading slash from the context. What holds a variable or a wildcard is docker's to judge. */
function sourceProblem(context: string, source: string): string | null {
  const target = resolve(context, source.replace(/^\/+/, ""));
  const inside = relative(context, target);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return "which is outside of the build context";
  if (/[$*?[\\]/.test(source) || existsSync(target)) return null;
  return "which is not in the build context";
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
