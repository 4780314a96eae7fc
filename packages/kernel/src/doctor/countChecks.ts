/** Checks of stored counts of related rows. */
import { Effect } from "effect"
import type { StorageUnavailable, Table, Where } from "../storage/index.ts"
import {
  type Check,
  type DoctorRecords,
  type Examination,
  examination,
  type Light,
  type Problem
} from "./Check.ts"
import { counts } from "./lookups.ts"

/** A count that a row stores. */
interface StoredCount<T extends Table.AnyTable, Id extends string, U extends Table.AnyTable> {
  /** The table whose rows store the count. */
  readonly over: T
  /** Returns the id of a row, and its count. */
  readonly stored: (row: Light<T>) => readonly [id: Id, count: number]
  /** The counted rows. */
  readonly of: U
  /** The column of the counted rows with the id. */
  readonly by: keyof Table.Row<U> & string
  /** The condition on the counted rows; all by default. */
  readonly where?: Where.Where<Table.Row<U>>
  /** The counted rows, as a plural noun in the message: "open comments". */
  readonly what: string
  /** Stores a count. */
  readonly store: (
    records: DoctorRecords,
    id: Id,
    count: number
  ) => Effect.Effect<unknown, StorageUnavailable>
}

/** Creates an examination that compares a stored count with the number of rows. */
export const requireCount = <T extends Table.AnyTable, Id extends string, U extends Table.AnyTable>(
  check: Check,
  { over, stored, of, by, where, what, store }: StoredCount<T, Id, U>
): Examination =>
  examination(
    over,
    [check],
    Effect.fnUntraced(function* ({ records }, rows) {
      const numberOf = yield* counts(
        records,
        of,
        by,
        rows.map((row) => stored(row)[0]),
        where
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const [id, count] = stored(row)
        const actual = numberOf(id)
        const message = `counts ${count} ${what}; there are ${actual}`
        return count === actual ? [] : [{ check, row, message, repair: store(records, id, actual) }]
      })
    })
  )
