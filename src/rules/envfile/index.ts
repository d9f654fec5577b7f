import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { FILE_MODE, READ_OTHERWISE } from "./file.ts";
import { MISSING_SECRET, NO_DATABASE, NO_ENV_FILE, PLACEHOLDER } from "./missing.ts";
import { ENV_PROBLEM_RULES } from "./problems.ts";
import { ENV_RESERVED_DOMAIN } from "./reserved-domain.ts";
import { UNDELIVERED_SETTING, UNUSED_NAME } from "./unused-name.ts";
import {
  ADMIN_GRANTS,
  ALLOWED_EMAILS,
  DATABASE_URL,
  EMAIL_FROM,
  PUBLIC_API_URL,
  REUSED,
  SIGNING_KEY,
  TOO_SHORT,
} from "./values.ts";

/** The `.env` beside the config: its text, and the values of secrets. */
export const ENV_FILE_RULES: readonly Rule[] = [
  NO_ENV_FILE,
  ...about("envFile", [
    ...ENV_PROBLEM_RULES,
    FILE_MODE,
    READ_OTHERWISE,
    MISSING_SECRET,
    PLACEHOLDER,
    ENV_RESERVED_DOMAIN,
    NO_DATABASE,
    TOO_SHORT,
    REUSED,
    SIGNING_KEY,
    ADMIN_GRANTS,
    DATABASE_URL,
    PUBLIC_API_URL,
    ALLOWED_EMAILS,
    EMAIL_FROM,
    UNDELIVERED_SETTING,
    UNUSED_NAME,
  ]),
].map((rule) => ({ ...rule, concerns: "secret-values" }));
