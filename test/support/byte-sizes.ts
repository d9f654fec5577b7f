import { IS_DEEP } from "./runs.ts";

const MIB = 1024 * 1024;

/** Sizes of data where messages and parts of boxd end; the largest takes seconds, and belongs to the deep run. */
export const BYTE_SIZES = [0, 1, 3 * MIB - 1, 3 * MIB, 3 * MIB + 1, 4 * MIB, 5 * MIB, ...(IS_DEEP ? [20 * MIB] : [])];
