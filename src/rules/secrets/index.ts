import type { Rule } from "../rule.ts";
import { COLLISION } from "./collision.ts";
import { DERIVED_NAME } from "./derived-name.ts";
import { CORE_ONLY, DISABLED_SERVICE, MANAGED_NAME, SCREEN_TOKEN } from "./secret-env.ts";
import { CATALOGUE_SECRET, SECRET_NAME, SECRET_VALUE } from "./value-in-config.ts";

/** Secrets in the wrong place, and where `secretEnv` sends them. */
export const SECRETS_RULES: readonly Rule[] = [
  CATALOGUE_SECRET,
  SECRET_NAME,
  SECRET_VALUE,
  MANAGED_NAME,
  CORE_ONLY,
  SCREEN_TOKEN,
  DISABLED_SERVICE,
  COLLISION,
  DERIVED_NAME,
];
