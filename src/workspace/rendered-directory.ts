import { dirname, join, relative, resolve, sep } from "node:path";
import { existsSync } from "node:fs";
import type { TargetName } from "../config/written-config.ts";
import { displayName, isInside } from "./paths.ts";

/** Where the artifacts of a deployment lie. Paths without further word are absolute. */
export interface RenderedDirectory {
  /** Links above it are trusted; nothing below it is followed through a link. */
  readonly root: string;
  /** `rendered/<target>`. */
  readonly directory: string;
  /** The deployment directory. */
  readonly deployment: string;
  /** `directory` relative to the working directory, for people. */
  readonly shown: string;
  /** From `directory` to the deployment directory, and back; with `/`. */
  readonly toDeployment: string;
  readonly place: string;
}

/** Works out the place for `--out` (default: `rendered` in the deployment directory), which is taken from the working directory. */
export function renderedDirectory(
  deploymentDirectory: string,
  target: TargetName,
  out: string | undefined,
  cwd: string,
): RenderedDirectory {
  const deployment = resolve(cwd, deploymentDirectory);
  const outer = out === undefined ? join(deployment, "rendered") : resolve(cwd, out);
  const directory = join(outer, target);
  return {
    root: isInside(outer, deployment) ? deployment : nearestExisting(dirname(outer)),
    directory,
    deployment,
    shown: displayName(directory, cwd),
    toDeployment: slashes(relative(directory, deployment)),
    place: asWord(slashes(relative(deployment, directory))),
  };
}

/** A path that no command takes for an option. */
function asWord(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

function slashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

function nearestExisting(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : nearestExisting(dirname(directory));
}
