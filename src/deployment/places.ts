import type { ConfigDocument } from "../config/document.ts";
import type { ServiceName } from "../config/written.ts";
import type { ConfigPath } from "../diagnostics/diagnostic.ts";

/**
 * Where `services` names a service. Looked up in the document, since parts of a wrong shape are missing from the typed
 * config and would shift its indexes.
 */
export function servicePath(document: ConfigDocument, service: ServiceName): ConfigPath {
  const written = document.value(["services"]);
  const at = Array.isArray(written) ? written.indexOf(service) : -1;
  return at < 0 ? ["services"] : ["services", at];
}

/** Where `plugins` declares the plugin of this name (the first one); `["plugins"]` where it does not. */
export function pluginPath(document: ConfigDocument, name: string): ConfigPath {
  const written = document.value(["plugins"]);
  const at = Array.isArray(written) ? written.findIndex((_plugin, index) => document.value(["plugins", index, "name"]) === name) : -1;
  return at < 0 ? ["plugins"] : ["plugins", at];
}
