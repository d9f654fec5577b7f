import { getLocation } from "jsonc-parser";
import type { ConfigPath } from "../base/config-path.ts";

/** Where a cursor stands in a config, be it whole or half written. */
export interface ConfigPlace {
  /** Of the member or item; where a key is being written, of the object that it is in. */
  readonly path: ConfigPath;
  readonly isKey: boolean;
  /** The token under the cursor that something else may take the place of; both ends are the cursor where there is none. */
  readonly token: { readonly start: number; readonly end: number };
}

/** Finds the place of an offset. */
export function placeAt(text: string, offset: number): ConfigPlace {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const end = previousNode === undefined ? 0 : previousNode.offset + previousNode.length;
  const isUnder = previousNode !== undefined && previousNode.offset <= offset && offset <= end;
  const token = isUnder ? { start: previousNode.offset, end } : { start: offset, end: offset };
  return { path: isAtPropertyKey ? path.slice(0, -1) : path, isKey: isAtPropertyKey, token };
}
