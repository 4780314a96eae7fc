/** Rows that a transaction inserts when it ends, with as few statements as possible. */
import { Effect } from "effect"
import type { PlainRow, RecordsAdapter, WriteError } from "./RecordsAdapter.ts"
import type { AnyTable } from "./Table.ts"

/** A row that a transaction inserts when it ends. */
export interface DeferredRow {
  readonly table: AnyTable
  readonly row: PlainRow
}

/** Inserts rows, with one statement per table. */
export const insertDeferred = (
  adapter: RecordsAdapter["Service"],
  deferred: ReadonlyArray<DeferredRow>
): Effect.Effect<void, WriteError> =>
  Effect.forEach(
    Map.groupBy(deferred, ({ table }) => table),
    ([table, rows]) =>
      adapter.insert(
        table,
        rows.map(({ row }) => row),
        { isResultUnused: true }
      ),
    { discard: true }
  )
