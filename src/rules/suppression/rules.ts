import type { RuleInfo } from "../../diagnostics/rule-info.ts";

const CONFIG = (comment: string): string =>
  `{\n  ${comment}\n  "imageOverrides": { "core": "ghcr.io/acme/qm-core:1" }\n}`;
const GOOD = CONFIG("// qm-deploy-ignore config/unpinned-image -- CI pins it");

/** What is wrong with suppressions themselves (docs/suppressions.md). */
export const SUPPRESSION_RULES = {
  form: {
    id: "suppression/form",
    title: "Suppression that cannot be read",
    severity: "error",
    concerns: "gate",
    why: "A suppression names at least one rule, and in package.json it has no other fields than `rule`, `path` and `reason`. What cannot be read suppresses nothing.",
    bad: CONFIG("// qm-deploy-ignore -- CI pins it"),
    good: GOOD,
  },
  reason: {
    id: "suppression/reason",
    title: "Suppression without a reason",
    severity: "error",
    concerns: "gate",
    why: "Whoever reads the config next must be able to judge whether a finding is still to be left out. Without a reason nothing is suppressed.",
    bad: CONFIG("// qm-deploy-ignore config/unpinned-image"),
    good: GOOD,
  },
  unknownRule: {
    id: "suppression/unknown-rule",
    title: "Suppression of a rule that does not exist",
    severity: "warning",
    concerns: "gate",
    why: "A misspelt rule suppresses nothing, and what was to be left out is still reported.",
    bad: CONFIG("// qm-deploy-ignore config/unpined-image -- CI pins it"),
    good: GOOD,
  },
  notAllowed: {
    id: "suppression/not-allowed",
    title: "Suppression of what cannot be suppressed",
    severity: "error",
    concerns: "gate",
    why: "What would give a secret away, text that does not parse, and whatever stops `render` or `sandbox publish` is always reported: leaving it out would only move the failure to where nobody looks.",
    bad: '{\n  "publicUrl": 8080 // qm-deploy-ignore config/wrong-type -- it works here\n}',
    good: '{\n  "publicUrl": "https://qm.acme.dev"\n}',
  },
  idle: {
    id: "suppression/idle",
    title: "Suppression of nothing",
    severity: "warning",
    concerns: "gate",
    why: "A suppression that is left behind would silently cover the next finding of its rule in that place.",
    bad: `{\n  "orgId": "acme" // qm-deploy-ignore config/unpinned-image -- CI pins it\n}`,
    good: `{\n  "orgId": "acme"\n}`,
  },
} as const satisfies { readonly [key: string]: RuleInfo };

/** The rules about suppressions. None of them can be suppressed. */
export const ALL_SUPPRESSION_RULES: readonly RuleInfo[] = Object.values(SUPPRESSION_RULES);
