import {
  SERVICE_NAMES,
  type ServiceName,
  type StringMap,
  type WrittenConfig,
  type WrittenPluginSecret,
} from "../config/written-config.ts";
import type { ConfigDocument } from "../config/document.ts";
import { isJsonObject, type JsonValue } from "../base/json.ts";
import type { ConfigPath } from "../base/config-path.ts";
import { compareText } from "../base/text-order.ts";
import type { DeploymentInputs } from "./inputs.ts";

/** A plugin that the config declares or that `plugins/<name>/Dockerfile` makes. */
export interface Plugin {
  readonly name: string;
  readonly path: ConfigPath;
  /** Null where the config names none. */
  readonly image: string | null;
  readonly sourceDirectory: string | null;
  readonly env: StringMap;
  readonly secrets: readonly WrittenPluginSecret[];
  /** True when it may call core: it gets CORE_API_URL and CORE_SIGNING_SECRET. */
  readonly coreAccess: boolean;
}

const NO_ENV = Object.create(null) as StringMap;
const DOCKERFILE = /^plugins\/([^/]+)\/Dockerfile$/;

/**
 * The plugins of a deployment: those of the config in its order, then those that only a Dockerfile makes, by name. A
 * second plugin of a name, or one named like a service, is left out: it can have no container (rules report it).
 */
export function findPlugins(
  config: WrittenConfig,
  document: ConfigDocument,
  inputs: DeploymentInputs,
): readonly Plugin[] {
  const sources = sourceDirectories(inputs);
  const paths = pluginPaths(document);
  const plugins = new Map<string, Plugin>();
  const add = (name: string | undefined, written: NonNullable<WrittenConfig["plugins"]>[number]): void => {
    if (name === undefined || name === "" || plugins.has(name) || (SERVICE_NAMES as readonly string[]).includes(name))
      return;
    plugins.set(name, {
      name,
      path: paths.get(name) ?? ["plugins"],
      image: written.image ?? null,
      sourceDirectory: sources.get(name) ?? null,
      env: written.env ?? NO_ENV,
      secrets: written.secrets ?? [],
      coreAccess: written.coreAccess !== false,
    });
  };
  for (const written of config.plugins ?? []) add(written.name, written);
  for (const name of [...sources.keys()].sort(compareText)) add(name, {});
  return [...plugins.values()];
}

/** Directories under `plugins/` that hold a Dockerfile, by their name. */
function sourceDirectories(inputs: DeploymentInputs): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of inputs.pluginsTree) {
    const name = DOCKERFILE.exec(entry.path)?.[1];
    if (name !== undefined && (entry.kind === "file" || entry.leadsTo === "file")) found.set(name, `plugins/${name}`);
  }
  return found;
}

/** Where `services` names a service. */
export function servicePath(document: ConfigDocument, service: ServiceName): ConfigPath {
  const at = itemsOf(document, "services").indexOf(service);
  return at < 0 ? ["services"] : ["services", at];
}

/** Where `plugins` declares each plugin (the first one of its name). */
function pluginPaths(document: ConfigDocument): ReadonlyMap<JsonValue | undefined, ConfigPath> {
  const named = itemsOf(document, "plugins").map((item, at): [JsonValue | undefined, ConfigPath] => [
    isJsonObject(item) ? item["name"] : undefined,
    ["plugins", at],
  ]);
  return new Map(named.reverse());
}

/** As the document has them, since parts of a wrong shape are missing from the typed config and would shift its indexes. */
function itemsOf(document: ConfigDocument, list: string): readonly JsonValue[] {
  const written = document.value([list]);
  return Array.isArray(written) ? written : [];
}
