import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { COLLISION } from "./collision.ts";
import { DERIVED_NAME } from "./derived-name.ts";
import { CORE_ONLY, DISABLED_SERVICE, MANAGED_NAME, SCREEN_TOKEN } from "./secret-env.ts";
import { CATALOGUE_SECRET, SECRET_NAME, SECRET_VALUE } from "./value-in-config.ts";

/** Secrets in the wrong place, and where `secretEnv` sends them. */
export const SECRETS_RULES: readonly Rule[] = [
  CATALOGUE_SECRET,
  SECRET_NAME,
  SECRET_VALUE,
  ...about("secretEnv", [MANAGED_NAME, CORE_ONLY, DISABLED_SERVICE]),
  ...about("ownSecrets", [DERIVED_NAME]),
  SCREEN_TOKEN,
  COLLISION,
];
