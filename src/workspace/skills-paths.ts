import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { SkillsPath } from "../deployment/inputs.ts";
import { isInside } from "./paths.ts";

/** What a path of `skills[]` leads to, once links are followed. */
function leadsTo(written: string, directory: string): SkillsPath["kind"] {
  if (written.includes("\0")) return "missing";
  const path = resolve(directory, written);
  if (!isInside(path, directory)) return "outside";
  try {
    if (!isInside(realpathSync(path), realpathSync(directory))) return "outside";
    return statSync(path).isDirectory() ? "directory" : "other";
  } catch {
    return "missing";
  }
}

/** The `skills[]` of a config with what each leads to. */
export function readSkillsPaths(written: readonly string[], directory: string): SkillsPath[] {
  return written.map((path) => ({ written: path, kind: leadsTo(path, directory) }));
}
