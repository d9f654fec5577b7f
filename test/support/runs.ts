/** The tier that runs; see scripts/test.mjs. */
const TIER = process.env["QM_DEPLOY_TESTS"];

/**
 * How often a random test runs: a few times in `npm test`, many times in `npm run test:deep`. A file that asks for it is
 * run by both.
 */
export function runs(few: number, many: number): number {
  return TIER === "deep" ? many : few;
}
