import { type ConfigPath, printPath } from "../../base/config-path.ts";
import { findBackend } from "../../catalog/backends/index.ts";
import { isSecretPlace, kindOfPath, pathAt } from "../../config/path-at.ts";
import type { Deployment } from "../../deployment/deployment.ts";

/** What stands at a place of a config and can be explained. */
export interface ThingsAt {
  readonly path: ConfigPath;
  /** Names for `explain`: the field, and the secret or sandbox backend that its value names. */
  readonly things: readonly string[];
}

/** Finds what stands at an offset of the config; null between all members and items. */
export function thingsAt({ document }: Deployment, offset: number): ThingsAt | null {
  const path = pathAt(document, offset);
  if (path === null) return null;
  const node = document.node(path);
  const text = node?.kind === "string" ? node.value : null;
  const isNamed = text !== null && (isSecretPlace(kindOfPath(path)) || findBackend(text) !== undefined);
  return { path, things: [printPath(path), ...(isNamed ? [text] : [])] };
}
