import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { IDLE_DIRECTORY, PLUGIN_DIRECTORY } from "./directories.ts";
import { CORE_ACCESS, REPEATED_NAME } from "./env-names.ts";
import { DUPLICATE_PLUGIN, NO_SOURCE, TWO_SOURCES } from "./sources.ts";

/** A deployer's own workloads. */
export const PLUGINS_RULES: readonly Rule[] = about("plugins", [
  DUPLICATE_PLUGIN,
  NO_SOURCE,
  TWO_SOURCES,
  PLUGIN_DIRECTORY,
  IDLE_DIRECTORY,
  REPEATED_NAME,
  CORE_ACCESS,
]);
