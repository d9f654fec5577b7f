import type { ConfigDocument } from "../config/document.ts";
import type { ServiceName } from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";

/**
 * Where `services` names a service. Looked up in the document, since parts of a wrong shape are missing from the typed
 * config and would shift its indexes.
 */
export function servicePath(document: ConfigDocument, service: ServiceName): ConfigPath {
  const written = document.value(["services"]);
  const at = Array.isArray(written) ? written.indexOf(service) : -1;
  return at < 0 ? ["services"] : ["services", at];
}

/** Where `plugins` declares each plugin, by its name (the first one of a name). */
export function pluginPaths(document: ConfigDocument): ReadonlyMap<string, ConfigPath> {
  const paths = new Map<string, ConfigPath>();
  const written = document.value(["plugins"]);
  for (const [at, plugin] of Array.isArray(written) ? written.entries() : []) {
    const name = typeof plugin === "object" && plugin !== null && !Array.isArray(plugin) ? plugin["name"] : undefined;
    if (typeof name === "string" && !paths.has(name)) paths.set(name, ["plugins", at]);
  }
  return paths;
}
