import type { Rule } from "../rule.ts";
import { HARNESS_PAIR, MOCK_HARNESS, UNKNOWN_HARNESS, UNKNOWN_PROVIDER } from "./provider-and-harness.ts";

/** Which model answers, and which harness runs agents. */
export const MODEL_RULES: readonly Rule[] = [UNKNOWN_PROVIDER, UNKNOWN_HARNESS, HARNESS_PAIR, MOCK_HARNESS];
