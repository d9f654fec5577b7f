import type { ConfigPath } from "../base/config-path.ts";
import type { JsonValue } from "../base/json.ts";
import type { ConfigDocument } from "./document.ts";
import type { WrittenConfig } from "./written-config.ts";

/** Lists of objects: an unsound item stays as an empty object, so that the items after it keep their index. */
const OBJECT_LISTS = new Set(["plugins", "secrets"]);

/**
 * The config of a document without what has not its shape. Unsound items of plain lists are taken out, so that indexes into
 * such a list are not those of the document: look a name up in the document to find its place.
 */
export function typedConfig(document: ConfigDocument, unsound: readonly ConfigPath[]): WrittenConfig {
  const config = Object.create(null) as { [key: string]: JsonValue };
  if (document.root?.kind !== "object") return config as WrittenConfig;
  const value = document.value([]) as JsonValue;
  const left = new Set(unsound.map((path) => JSON.stringify(path)));
  // Nobody changes the values, so that a sound config can be made of the document's own.
  Object.assign(config, left.size === 0 ? value : soundPart(value, [], left));
  delete config["$schema"];
  return config as WrittenConfig;
}

/** A value without what is unsound in it; undefined where it is unsound itself. */
function soundPart(value: JsonValue, path: ConfigPath, unsound: ReadonlySet<string>): JsonValue | undefined {
  const sound = Object.create(null) as { [key: string]: JsonValue };
  if (unsound.has(JSON.stringify(path)))
    return typeof path.at(-1) === "number" && OBJECT_LISTS.has(String(path.at(-2))) ? sound : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue, at) => soundPart(item, [...path, at], unsound));
    return items.filter((item) => item !== undefined);
  }
  if (value === null || typeof value !== "object") return value;
  for (const [key, child] of Object.entries(value)) {
    const part = soundPart(child as JsonValue, [...path, key], unsound);
    if (part !== undefined) sound[key] = part;
  }
  return sound;
}
