/** True in `npm run test:deep`, which runs every file that imports this one again; see scripts/test.mjs. */
export const IS_DEEP = process.env["QM_DEPLOY_TESTS"] === "deep";

/** How often a random test runs: a few times in `npm test`, in the deep run some ten times as often. */
export function runs(few: number, many: number): number {
  return IS_DEEP ? many : few;
}

/** Which of many cases a test tries: each `stride`-th in `npm test`, beginning with the one that has its turn; all in the deep run. */
export function inTurn<T>(cases: readonly T[], stride: number, turn: number): readonly T[] {
  return IS_DEEP ? cases : cases.filter((_, at) => at % stride === turn % stride);
}
