import type { Rule } from "../rule.ts";
import { DISABLED_SERVICE } from "./disabled-service.ts";
import { CONFLICTING_ENV, LOST_ENV } from "./env-layers.ts";
import { MANAGED_ENV_NAME } from "./managed-env.ts";
import { CORE_MISSING, DUPLICATE_SERVICE, PORTAL_MISSING, WEB_UI_MISSING } from "./service-list.ts";

/** Which services run, and what their `env` may say. */
export const SERVICES_RULES: readonly Rule[] = [
  CORE_MISSING,
  PORTAL_MISSING,
  WEB_UI_MISSING,
  DUPLICATE_SERVICE,
  DISABLED_SERVICE,
  MANAGED_ENV_NAME,
  LOST_ENV,
  CONFLICTING_ENV,
];
