import { type ConfigPath, printPath } from "../base/config-path.ts";
import type { ConfigDocument } from "./document.ts";

/** The path of the innermost member or item whose key or value an offset is in; null between all of them. */
export function pathAt(document: ConfigDocument, offset: number): ConfigPath | null {
  let path: ConfigPath = [];
  let node = document.root;
  for (let isFound = true; isFound && node !== null;) {
    isFound = false;
    if (node.kind === "object") {
      for (const { key, keySpan, value } of node.members) {
        const end = value?.end ?? keySpan.end;
        if (offset < keySpan.start || offset > end) continue;
        path = [...path, key];
        if (offset <= keySpan.end || value === null) return path;
        [node, isFound] = [value, true];
        break;
      }
    } else if (node.kind === "array") {
      const at = node.items.findIndex(({ start, end }) => offset >= start && offset <= end);
      const item = node.items[at];
      if (item === undefined) return path;
      path = [...path, at];
      [node, isFound] = [item, true];
    }
  }
  return path.length === 0 ? null : path;
}

/** A path with `*` for names that users choose and `[]` for items, to tell what kind of place it is. */
export function kindOfPath(path: ConfigPath): string {
  const [top, second, ...rest] = path;
  if (top === "services" && typeof second === "number") return "services[]";
  if (top === "secretEnv" && typeof second === "string" && rest.length === 1) return "secretEnv.*.*";
  if (top === "sandbox" && second === "secretEnv" && rest.length === 1) return "sandbox.secretEnv[]";
  if (top === "plugins" && rest[0] === "secrets" && rest[2] === "name") return "plugins[].secrets[].name";
  if (top === "env" && typeof second === "string" && rest.length === 1) return "env.*.*";
  return printPath(path);
}

/** True for a kind of place that names a secret. */
export function isSecretPlace(kind: string): boolean {
  return kind === "secretEnv.*.*" || kind === "sandbox.secretEnv[]" || kind === "plugins[].secrets[].name";
}
