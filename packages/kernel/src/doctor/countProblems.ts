/** Compares stored counts of rows with the rows. */
import type { Effect } from "effect"
import type { StorageUnavailable } from "../storage/StorageError.ts"
import type { Check, Problem } from "./Check.ts"

/** A stored count of related rows. */
interface StoredCount {
  readonly check: Check
  /** The column of the count. */
  readonly column: "comments" | "changeRequestsOpen" | "changeRequestsDraft" | "replies"
  /** The counted rows, as a plural noun in the message: "open comments". */
  readonly what: string
}

/** Returns the problem of a row whose stored count is not the actual one. `repair` stores the count that it receives. */
export const countProblems = <R extends { readonly id: string }>(
  row: R & { readonly [column: string]: unknown },
  { check, column, what }: StoredCount,
  actual: number,
  repair: (count: number) => Effect.Effect<unknown, StorageUnavailable>
): ReadonlyArray<Problem> =>
  row[column] === actual
    ? []
    : [{ check, row, message: `counts ${row[column]} ${what}; there are ${actual}`, repair: repair(actual) }]
