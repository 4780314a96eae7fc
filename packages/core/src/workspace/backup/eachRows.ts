/** Reads the rows of a table in batches. */
import { Effect } from "effect"
import type { PlainRow, ReadError, RecordsAdapter, Table, Where } from "../../kernel/storage/index.ts"

type Adapter = RecordsAdapter["Service"]

/** The number of rows per query. */
const rowsPerQuery = 500

/** Passes the rows that match a condition on, in the order of the key, in batches. */
export const eachRowsWhere = Effect.fnUntraced(function* <E>(
  adapter: Adapter,
  table: Table.AnyTable,
  where: Where.AnyWhere,
  use: (rows: ReadonlyArray<PlainRow>) => Effect.Effect<unknown, E>,
  select?: ReadonlyArray<string>
): Effect.fn.Return<void, E | ReadError> {
  let after: ReadonlyArray<Where.Scalar> | undefined
  for (;;) {
    const rows = yield* adapter.find(table, {
      where,
      orderBy: table.key,
      direction: "asc",
      limit: rowsPerQuery,
      ...(after === undefined ? {} : { after }),
      ...(select === undefined ? {} : { select })
    })
    if (rows.length > 0) yield* use(rows)
    // Reads of a store in this process are synchronous.
    yield* Effect.yieldNow
    if (rows.length < rowsPerQuery) return
    after = table.key.map((column) => rows.at(-1)![column] as Where.Scalar)
  }
})
