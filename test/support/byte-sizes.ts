import { IS_DEEP } from "./runs.ts";

const MIB = 1024 * 1024;

/** Sizes of data where messages and parts of boxd end: some, and in the deep run all of them and one that takes seconds. */
export const BYTE_SIZES = IS_DEEP
  ? [0, 1, 3 * MIB - 1, 3 * MIB, 3 * MIB + 1, 4 * MIB, 5 * MIB, 20 * MIB]
  : [0, 3 * MIB, 3 * MIB + 1, 5 * MIB];
