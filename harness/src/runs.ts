/** The factor on the number of generated cases: `LECTERN_TEST_RUNS`, or 1. */
export const runsMultiplier = Number(process.env.LECTERN_TEST_RUNS ?? 1)

/** Whether the run is `npm test`, which omits some tests of `npm run test:all`: `vitest.fast.config.ts` sets the variable. */
export const isFastRun = process.env.LECTERN_TEST_SELECTION === "fast"

/** Whether tests enumerate the cases that they otherwise sample, as in `npm run test:long`. */
export const isLongRun = runsMultiplier > 1

/**
 * The share of the generated cases on a store whose code another test file checks with all cases, such as the same
 * database in another configuration.
 */
export const variantShare = isLongRun ? 1 : 0.2

/** The parameter of fast-check for `count` cases times `LECTERN_TEST_RUNS`; at least one case. */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: Math.max(1, Math.round(count * runsMultiplier))
})
