/** What a test covered: counted while it runs, and summed up for the run by `summary.ts`. */

/** What is counted. */
export interface Tally {
  /** How many properties were checked, and on how many cases. */
  properties: number
  cases: number
  /** Which operations of the API were called. */
  readonly operations: Set<string>
}

const emptyTally = (): Tally => ({ properties: 0, cases: 0, operations: new Set() })

let current = emptyTally()

/** The count of the test that runs. */
export const tally = (): Tally => current

/** Returns the counts since the last call. */
export const takeTally = (): Tally => {
  const taken = current
  current = emptyTally()
  return taken
}
