/** What a test has done, beside passing: counted while it runs, and summed up for the run by `summary.ts`. */

/** What is counted. */
export interface Tally {
  /** How many properties were checked, and on how many cases. */
  properties: number
  cases: number
  /** Which operations of the API were called. */
  readonly operations: Set<string>
}

const none = (): Tally => ({ properties: 0, cases: 0, operations: new Set() })

let current = none()

/** The count of the test that runs. */
export const tally = (): Tally => current

/** What was counted since it was asked the last time. */
export const takeTally = (): Tally => {
  const taken = current
  current = none()
  return taken
}
