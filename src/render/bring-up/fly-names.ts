import { shellWord } from "../../base/shell-word.ts";
import type { RenderContext } from "../artifact.ts";
import { flyAppName } from "../fly-toml.ts";

/** A workload's app, as a word of a command line. */
export function flyApp({ deployment }: RenderContext, workload: string): string {
  return shellWord(flyAppName(deployment, workload));
}

/** The organization that owns the apps, as a word of a command line. */
export function flyOrg({ deployment }: RenderContext): string {
  return shellWord(deployment.config.flyOrg?.trim() ?? "");
}

/** A rendered file, as a word of a command line in the deployment directory. */
export function renderedFile({ options }: RenderContext, file: string): string {
  return shellWord(`${options.place}/${file}`);
}
