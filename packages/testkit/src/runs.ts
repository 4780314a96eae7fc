/** How many cases a property is checked on: for nights and for hunting, `LECTERN_TEST_RUNS` times as many. */
export const multiplier = Number(process.env.LECTERN_TEST_RUNS ?? 1)

/** As many runs as given, times `LECTERN_TEST_RUNS` where that is set; at least one. */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: Math.max(1, Math.round(count * multiplier))
})
