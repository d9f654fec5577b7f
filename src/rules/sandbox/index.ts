import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { API_URL_UNREACHABLE } from "./api-url.ts";
import { BACKEND_BY_ENV, BACKEND_NOT_WIRED } from "./backend-by-env.ts";
import { BACKEND_BY_SECRET } from "./backend-by-secret.ts";
import { BACKEND_MISMATCH } from "./backend-mismatch.ts";
import { BACKEND_NOT_AVAILABLE } from "./backend-not-available.ts";
import { BLANK_BACKEND } from "./blank-backend.ts";
import { DEFAULT_BACKEND } from "./default-backend.ts";
import { ENV_ONLY_BACKEND } from "./env-only-backend.ts";
import { FLY_ONLY_FIELD, IDLE_FIELD } from "./sandbox-fields.ts";
import { APP_MISSING, IMAGE_NOT_PUBLISHED, UNPINNED_IMAGE } from "./layer-image.ts";
import { MISPLACED_SETTING } from "./misplaced-setting.ts";
import { INERT_APP, NO_BACKEND } from "./no-backend.ts";
import { CORE_IMAGE, REFUSED_BY_QM } from "./release-support.ts";
import { LOCAL_PUBLIC_URL, OPEN_EGRESS } from "./remote-agents.ts";
import { MALFORMED_SCOPES, SCOPES_NOT_READ } from "./scopes.ts";
import { SECONDARY_EQUALS_PRIMARY } from "./secondary-equals-primary.ts";
import { BAD_SETTING, IDLE_SETTING, MISSING_SETTING } from "./settings.ts";
import { UNDELIVERED_FILE } from "./undelivered-files.ts";
import { UNKNOWN_BACKEND } from "./unknown-backend.ts";

/** Which backend runs agents, and what it takes. */
export const SANDBOX_RULES: readonly Rule[] = [
  UNKNOWN_BACKEND,
  BACKEND_NOT_AVAILABLE,
  ENV_ONLY_BACKEND,
  BACKEND_MISMATCH,
  BLANK_BACKEND,
  MALFORMED_SCOPES,
  SCOPES_NOT_READ,
  SECONDARY_EQUALS_PRIMARY,
  ...about("sandboxFields", [
    FLY_ONLY_FIELD,
    IDLE_FIELD,
    INERT_APP,
    DEFAULT_BACKEND,
    IMAGE_NOT_PUBLISHED,
    UNPINNED_IMAGE,
  ]),
  NO_BACKEND,
  ...about("docker", [BACKEND_NOT_WIRED]),
  BACKEND_BY_ENV,
  ...about("secretEnv", [BACKEND_BY_SECRET]),
  APP_MISSING,
  BAD_SETTING,
  MISSING_SETTING,
  IDLE_SETTING,
  MISPLACED_SETTING,
  API_URL_UNREACHABLE,
  LOCAL_PUBLIC_URL,
  OPEN_EGRESS,
  CORE_IMAGE,
  REFUSED_BY_QM,
  ...about("layer", [UNDELIVERED_FILE]),
];
