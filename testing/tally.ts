/** Counts the coverage of the current test. `summary.ts` sums it up for the run. */

/** The coverage of a test. */
export interface Tally {
  /** The number of properties that were checked. */
  properties: number
  /** The number of generated cases. */
  cases: number
  /** The ids of the API operations that were called. */
  readonly operations: Set<string>
}

const emptyTally = (): Tally => ({ properties: 0, cases: 0, operations: new Set() })

let current = emptyTally()

/** Returns the counts of the current test. */
export const tally = (): Tally => current

/** Returns the counts since the last call, and resets them. */
export const takeTally = (): Tally => {
  const taken = current
  current = emptyTally()
  return taken
}
