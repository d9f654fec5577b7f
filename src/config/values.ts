import type { JsonValue } from "../base/json.ts";
import type { ConfigNode } from "./node.ts";
import { COMMENT_KEY } from "./syntax/keys.ts";

/**
 * The plain value of a node. Objects have no prototype, so that a key such as `constructor` is only there when it was
 * written; comment keys and `__proto__` are left out, and so is what did not parse. Of duplicate keys the last counts.
 */
export function toValue(node: ConfigNode): JsonValue {
  switch (node.kind) {
    case "null":
      return null;
    case "array":
      return node.items.map(toValue);
    case "object": {
      const value = Object.create(null) as { [key: string]: JsonValue };
      for (const { key, value: child } of node.members) {
        if (key === COMMENT_KEY || key === "__proto__") continue;
        if (child !== null) value[key] = toValue(child);
        else delete value[key];
      }
      return value;
    }
    default:
      return node.value;
  }
}
