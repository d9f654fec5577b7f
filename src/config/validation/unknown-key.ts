import { type ConfigPath, showPath } from "../../base/config-path.ts";
import type { Fix } from "../../diagnostics/diagnostic.ts";
import { closestName } from "../../base/closest-name.ts";
import type { ConfigDocument } from "../document.ts";
import { parentsOfKeys, schemaAt } from "../schema/lookup.ts";
import type { Finding } from "./finding.ts";

const ENV_LIKE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const SECRET_LIKE = /(?:_|^)(?:API_?KEY|TOKEN|SECRET|PASSWORD|JWK)$/;
const SERVICE_MAPS = new Set(["env", "secretEnv", "vms", "imageOverrides"]);

/** What to do about an unknown key. */
type Advice = Pick<Finding, "help" | "fix" | "meant">;

/** The finding about a key that the schema does not know. */
export function unknownKey(document: ConfigDocument, path: ConfigPath): Finding {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  const advice: Advice = sameName(document, parent, key) ??
    serviceMap(document, parent, key) ??
    elsewhere(document, parent, key) ??
    environment(document, path, key) ??
    similar(document, parent, key) ?? { help: fieldList(parent) };
  return { rule: "config/unknown-key", message: `unknown field \`${showPath(path)}\``, isAboutKey: true, ...advice };
}

function absentNames(document: ConfigDocument, parent: ConfigPath): string[] {
  return (schemaAt(parent)?.names ?? []).filter(
    (name) => document.node([...parent, name]) === undefined && !(parent.length === 0 && name === "$schema"),
  );
}

function rename(path: ConfigPath, name: string): Advice {
  const fix: Fix = {
    safety: "suggested",
    title: `rename \`${showPath(path)}\` to \`${name}\``,
    changes: [{ kind: "rename", path, key: name }],
  };
  return { help: `did you mean \`${name}\`?`, fix, meant: name };
}

/** Equal but for case, hyphens and underscores. */
function sameName(document: ConfigDocument, parent: ConfigPath, key: string): Advice | null {
  const fold = (text: string): string => text.toLowerCase().replace(/[-_]/g, "");
  const same = absentNames(document, parent).filter((name) => fold(name) === fold(key));
  return same.length === 1 ? rename([...parent, key], same[0] as string) : null;
}

function similar(document: ConfigDocument, parent: ConfigPath, key: string): Advice | null {
  const name = closestName(key, absentNames(document, parent));
  return name === null ? null : rename([...parent, key], name);
}

/** The maps keyed by service, where a plugin or `slack` may be tried. */
function serviceMap(document: ConfigDocument, parent: ConfigPath, key: string): Advice | null {
  if (parent.length !== 1 || !SERVICE_MAPS.has(parent[0] as string)) return null;
  if (key === "slack") return { help: "slack runs inside core: set it for `core`" };
  const plugins = document.value(["plugins"]);
  const isPlugin =
    Array.isArray(plugins) &&
    plugins.some(
      (plugin) => typeof plugin === "object" && plugin !== null && (plugin as { name?: unknown }).name === key,
    );
  return isPlugin ? { help: `settings of a plugin belong in its own entry of \`plugins\`` } : null;
}

function elsewhere(document: ConfigDocument, parent: ConfigPath, key: string): Advice | null {
  const places = (parentsOfKeys().get(key) ?? []).filter((place) => place !== showPath(parent));
  if (places.length === 0 || places.length > 3) return null;
  const names = places.map((place) => (place === "" ? "the top level" : `\`${place}\``)).join(" or ");
  return {
    help: `\`${key}\` belongs in ${names}`,
    fix: places.length === 1 ? moveFix(document, [...parent, key], placePath(places[0] as string, key)) : null,
  };
}

/** The path of a place that is the same in every config; null for one inside a map or list. */
function placePath(place: string, key: string): ConfigPath | null {
  if (/[[<]/.test(place)) return null;
  return place === "" ? [key] : [...place.split("."), key];
}

function moveFix(document: ConfigDocument, from: ConfigPath, to: ConfigPath | null): Fix | null {
  const value = document.value(from);
  if (to === null || value === undefined || document.node(to) !== undefined) return null;
  const within = document.node(to.slice(0, -1));
  if (within !== undefined && within.kind !== "object") return null;
  return {
    safety: "suggested",
    title: `move \`${showPath(from)}\` to \`${showPath(to)}\``,
    changes: [
      { kind: "set", path: to, value },
      { kind: "remove", path: from },
    ],
  };
}

function environment(document: ConfigDocument, path: ConfigPath, key: string): Advice | null {
  if (!ENV_LIKE.test(key)) return null;
  if (SECRET_LIKE.test(key)) return { help: `a secret belongs in \`.env\`, not in the config` };
  const isCore = /^(?:BOXD|SANDBOX)_/.test(key);
  const isText = document.node(path)?.kind === "string";
  const help = isCore
    ? `\`${key}\` belongs in \`env.core\``
    : "an environment setting belongs in `env.<service>`, such as `env.core`";
  return { help, fix: isCore && isText ? moveFix(document, path, ["env", "core", key]) : null };
}

function fieldList(parent: ConfigPath): string {
  const names = (schemaAt(parent)?.names ?? []).filter((name) => name !== "$schema");
  return names.length === 0 ? "delete it" : `delete it; known here: ${names.join(", ")}`;
}
