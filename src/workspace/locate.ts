import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FoundConfig } from "./find-deployments.ts";
import { CONFIG_NAME, displayName } from "./paths.ts";

/** The config of the one deployment that a path stands for: the file itself, or the one in that directory. It need not exist. */
export function configAt(path: string, cwd: string): FoundConfig & { readonly path: string } {
  const given = resolve(cwd, path);
  const isDirectory = statSync(given, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const config = isDirectory ? join(given, CONFIG_NAME) : given;
  return { path: config, file: displayName(config, cwd) };
}
