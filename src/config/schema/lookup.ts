import type { core } from "zod/mini";
import type { ConfigPath } from "../../base/config-path.ts";
import { configSchema } from "./config.ts";

type Schema = core.$ZodType;

/** What is known of a place of the config: its kind, and its keys or names where they are a closed set. */
export interface FieldInfo {
  readonly kind: "object" | "map" | "array" | "string" | "number" | "boolean" | "names" | "literal" | "union";
  /** Keys of an object, allowed names of `names`; empty otherwise. */
  readonly names: readonly string[];
  /** True where it may be left out. */
  readonly optional: boolean;
}

function inner(schema: Schema): Schema {
  const def = (schema as core.$ZodTypes)._zod.def;
  return def.type === "optional" ? inner(def.innerType) : schema;
}

/** The schemas that may apply one step below. */
function step(schema: Schema, key: string | number): Schema[] {
  const def = (inner(schema) as core.$ZodTypes)._zod.def;
  if (def.type === "union") return def.options.flatMap((option) => step(option, key));
  if (def.type === "object")
    return typeof key === "string" && Object.hasOwn(def.shape, key) ? [def.shape[key] as Schema] : [];
  if (def.type === "record") return typeof key === "string" ? [def.valueType] : [];
  return def.type === "array" && typeof key === "number" ? [def.element] : [];
}

function schemasAt(path: ConfigPath, root: Schema): Schema[] {
  let schemas = [root];
  for (const key of path) schemas = schemas.flatMap((schema) => step(schema, key));
  return schemas;
}

const KINDS: { readonly [type: string]: FieldInfo["kind"] } = {
  object: "object",
  record: "map",
  array: "array",
  enum: "names",
  union: "union",
  number: "number",
  boolean: "boolean",
};

function infoOf(schema: Schema): FieldInfo {
  const def = (inner(schema) as core.$ZodTypes)._zod.def;
  const optional = inner(schema) !== schema;
  if (def.type === "literal")
    return { kind: typeof def.values[0] === "string" ? "names" : "literal", names: def.values.map(String), optional };
  const names =
    def.type === "object"
      ? Object.keys(def.shape)
      : def.type === "enum"
        ? Object.values(def.entries).map(String)
        : def.type === "union"
          ? [...new Set(def.options.flatMap((option) => infoOf(option).names))]
          : [];
  return { kind: KINDS[def.type] ?? "string", names, optional };
}

/** The shape that a schema, the config's by default, gives to a place; null where it has no such place. */
export function schemaAt(path: ConfigPath, root: Schema = configSchema()): FieldInfo | null {
  const infos = schemasAt(path, root).map(infoOf);
  const first = infos[0];
  if (first === undefined) return null;
  return infos.length === 1 ? first : { ...first, names: [...new Set(infos.flatMap(({ names }) => names))] };
}

/** For each key that an object of the schema knows: the objects that know it, map steps written as `<name>`, items as `[]`. */
export function parentsOfKeys(): ReadonlyMap<string, readonly string[]> {
  if (keyParents.size === 0) collect(configSchema(), "", keyParents);
  return keyParents;
}

const keyParents = new Map<string, string[]>();

function collect(schema: Schema, path: string, places: Map<string, string[]>): void {
  const def = (inner(schema) as core.$ZodTypes)._zod.def;
  if (def.type === "union") for (const option of def.options) collect(option, path, places);
  if (def.type === "array") collect(def.element, `${path}[]`, places);
  if (def.type === "record") collect(def.valueType, `${path}.<name>`, places);
  if (def.type !== "object") return;
  for (const [key, child] of Object.entries(def.shape)) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [path]);
    else if (!known.includes(path)) known.push(path);
    collect(child as Schema, path === "" ? key : `${path}.${key}`, places);
  }
}
