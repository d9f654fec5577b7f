/** True in `npm run test:deep`, which runs every file that imports this one again; see scripts/test.mjs. */
export const IS_DEEP = process.env["QM_DEPLOY_TESTS"] === "deep";

/** How often a random test runs: a few times in `npm test`, many times in the deep run. */
export function runs(few: number, many: number): number {
  return IS_DEEP ? many : few;
}
