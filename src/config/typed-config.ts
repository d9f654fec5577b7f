import type { ConfigPath } from "../base/config-path.ts";
import type { JsonValue } from "../base/json.ts";
import type { ConfigDocument } from "./document.ts";
import { toValue } from "./node.ts";
import type { WrittenConfig } from "./written-config.ts";

type Mutable = { [key: string]: Mutable } | Mutable[] | JsonValue;

/** Lists of objects: an unsound item stays as an empty object, so that the items after it keep their index. */
const OBJECT_LISTS = new Set(["plugins", "secrets"]);

/**
 * The config of a document without what has not its shape. Unsound items of plain lists are taken out, so that indexes into
 * such a list are not those of the document: look a name up in the document to find its place.
 */
export function typedConfig(document: ConfigDocument, unsound: readonly ConfigPath[]): WrittenConfig {
  const { root } = document;
  if (root?.kind !== "object") return Object.create(null) as WrittenConfig;
  // Nobody changes either, so that a sound config can be made of the document's own values.
  const config = (
    unsound.length === 0 ? Object.assign(Object.create(null) as object, document.value([])) : toValue(root)
  ) as { [key: string]: Mutable };
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
