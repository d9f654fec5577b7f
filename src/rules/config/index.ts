import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { IMAGE_MISSING, IMAGE_REFERENCE, UNPINNED_IMAGE } from "./images.ts";
import { OTHER_TARGET } from "./other-target.ts";
import { UNSUPPORTED_FIELD } from "./unsupported-field.ts";

/** Fields that the target or the release does not read, and images. */
export const FIELD_RULES: readonly Rule[] = [
  OTHER_TARGET,
  UNSUPPORTED_FIELD,
  ...about("images", [IMAGE_REFERENCE, UNPINNED_IMAGE]),
  IMAGE_MISSING,
];
