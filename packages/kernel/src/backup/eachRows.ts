/** Reads the rows of a table in batches. */

import { Effect } from "effect"
import type { PlainRow, ReadError, RecordsAdapter } from "../storage/RecordsAdapter.ts"
import type * as Table from "../storage/Table.ts"
import type * as Where from "../storage/Where.ts"

type Adapter = RecordsAdapter["Service"]

/** The maximum number of rows per query, and the number in the first query of a table. */
const maximumRows = 500
const firstRows = 8

/** The size of the rows of a query that is aimed at: the number of rows is adapted to it. Rows can have 20 MiB. */
const bytesPerQuery = 4 * 1024 * 1024

const sizeOf = (value: unknown): number =>
  typeof value === "string" || value instanceof Uint8Array
    ? value.length
    : typeof value === "object" && value !== null
      ? JSON.stringify(value).length
      : 8

const sizeOfRows = (rows: ReadonlyArray<PlainRow>): number =>
  rows.reduce((sum, row) => Object.values(row).reduce<number>((size, value) => size + sizeOf(value), sum), 0)

/** Returns the number of rows of the next query. It grows fourfold at most, as later rows can be larger. */
const nextLimit = (limit: number, rows: ReadonlyArray<PlainRow>): number => {
  const fitting = Math.floor((limit * bytesPerQuery) / (sizeOfRows(rows) + 1))
  return Math.max(Math.min(fitting, 4 * limit, maximumRows), 1)
}

/** Passes the rows that match a condition on, in the order of the key, in batches. */
export const eachRowsWhere = Effect.fnUntraced(function* <E>(
  adapter: Adapter,
  table: Table.AnyTable,
  where: Where.AnyWhere,
  use: (rows: ReadonlyArray<PlainRow>) => Effect.Effect<unknown, E>,
  select?: ReadonlyArray<string>
): Effect.fn.Return<void, E | ReadError> {
  let after: ReadonlyArray<Where.Scalar> | undefined
  let limit = firstRows
  for (;;) {
    const rows = yield* adapter.find(table, {
      where,
      orderBy: table.key,
      direction: "asc",
      limit,
      ...(after === undefined ? {} : { after }),
      ...(select === undefined ? {} : { select })
    })
    if (rows.length > 0) yield* use(rows)
    // Reads of a store in this process are synchronous.
    yield* Effect.yieldNow
    if (rows.length < limit) return
    limit = nextLimit(limit, rows)
    after = table.key.map((column) => rows.at(-1)![column] as Where.Scalar)
  }
})
