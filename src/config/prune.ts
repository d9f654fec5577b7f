import type { ConfigPath, JsonValue } from "../diagnostics/diagnostic.ts";
import type { ConfigNode } from "./node.ts";
import { toValue } from "./values.ts";
import type { WrittenConfig } from "./written.ts";

type Mutable = { [key: string]: Mutable } | Mutable[] | JsonValue;

/** Lists of objects: an unsound item stays as an empty object, so that the items after it keep their index. */
const OBJECT_LISTS = new Set(["plugins", "secrets"]);

/**
 * The config of a tree without what has not its shape. Unsound items of plain lists are taken out, so that indexes into
 * such a list are not those of the document: look a name up in the document to find its place.
 */
export function pruneConfig(root: ConfigNode, unsound: readonly ConfigPath[]): WrittenConfig {
  if (root.kind !== "object") return Object.create(null) as WrittenConfig;
  const config = toValue(root) as { [key: string]: Mutable };
  delete config["$schema"];
  const holes = new Map<Mutable[], Set<number>>();
  for (const path of unsound) removeAt(config, path, holes);
  for (const [list, indexes] of holes) {
    const kept = list.filter((_, at) => !indexes.has(at));
    list.length = 0;
    for (const item of kept) list.push(item);
  }
  return config as WrittenConfig;
}

function removeAt(config: Mutable, path: ConfigPath, holes: Map<Mutable[], Set<number>>): void {
  let parent: Mutable | undefined = config;
  for (const step of path.slice(0, -1)) {
    if (parent === null || typeof parent !== "object") return;
    parent = (parent as { [key: string | number]: Mutable })[step];
  }
  const last = path.at(-1);
  if (last === undefined || parent === null || typeof parent !== "object") return;
  if (!Array.isArray(parent)) delete (parent as { [key: string]: Mutable })[last];
  else if (OBJECT_LISTS.has(String(path.at(-2)))) parent[last as number] = Object.create(null) as Mutable;
  else holes.set(parent, (holes.get(parent) ?? new Set()).add(last as number));
}
