import type { ConfigDocument } from "./document.ts";
import type { ConfigNode } from "./node.ts";
import { printPath, type ConfigPath } from "../base/config-path.ts";
import { COMMENT_KEY } from "./syntax/keys.ts";

/** The path of everything that a config writes, as people write it, in the order of the file. */
export function documentPaths({ root }: ConfigDocument): readonly string[] {
  const paths = new Set<string>();
  const walk = (node: ConfigNode | null, path: ConfigPath): void => {
    if (path.length > 0) paths.add(printPath(path));
    if (node?.kind === "array") for (const [at, item] of node.items.entries()) walk(item, [...path, at]);
    if (node?.kind === "object")
      for (const member of node.members) if (member.key !== COMMENT_KEY) walk(member.value, [...path, member.key]);
  };
  walk(root, []);
  return [...paths];
}
