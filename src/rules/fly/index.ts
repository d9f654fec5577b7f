import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { APP_NAME } from "./app-name.ts";
import { MISSING_FLY_FIELD, OBJECT_STORE } from "./required.ts";
import { FLY_REGION } from "./region.ts";
import { VM_SIZE } from "./vm-size.ts";

/** What only matters where the deployment runs on Fly. */
export const FLY_RULES: readonly Rule[] = about("fly", [
  MISSING_FLY_FIELD,
  OBJECT_STORE,
  FLY_REGION,
  APP_NAME,
  VM_SIZE,
]);
