/** Finds the rows of a store that an organization of a backup clashes with. */

import type { BackupSource, SourceError } from "@lectern/kernel"
import {
  chunkedBlobs,
  type PlainRow,
  type ReadError,
  type RecordsAdapter,
  type Table,
  type Where
} from "@lectern/kernel"
import { users } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { outlines } from "../../features/content/Outlines.ts"

type Adapter = RecordsAdapter["Service"]

/** The maximum number of clashes that are reported. */
const maximumClashes = 20

/** The tables of content that organizations share: rows with the same key are equal. */
export const sharedTables: ReadonlySet<string> = new Set([chunkedBlobs.name, outlines.name])

/** The columns whose values the rows of an organization share with no other row of the workspace. */
const uniqueColumnsOf = (table: Table.AnyTable): ReadonlyArray<string> => [
  // Of other keys, one column refers to a row whose key is compared.
  ...(table.key.length === 1 && table.columns[table.key[0]!]!.kind === "text" ? table.key : []),
  ...table.unique.flatMap((columns) => (columns.length === 1 ? columns : []))
]

/** Returns the clashes of rows in a column, one sentence each. An account with the same id does not clash. */
const clashesIn = Effect.fnUntraced(function* (
  target: Adapter,
  table: Table.AnyTable,
  column: string,
  rows: ReadonlyArray<PlainRow>
): Effect.fn.Return<ReadonlyArray<string>, ReadError> {
  const values = rows.flatMap((row) => (row[column] === null ? [] : [row[column] as Where.Scalar]))
  if (values.length === 0) return []
  const found = yield* target.find(table, {
    where: { op: "in", column, values },
    orderBy: [],
    direction: "asc",
    select: [...new Set([...table.key, column])]
  })
  const isAccounts = table.name === users.name
  const ids = new Set(rows.map(({ id }) => id))
  return found
    .filter((row) => !(isAccounts && ids.has(row.id)))
    .map((row) =>
      isAccounts
        ? `Another account has the e-mail address ${row[column]}.`
        : `The table ${table.name} has a row with the ${column} ${JSON.stringify(row[column])}.`
    )
})

/** Returns the clashes of an organization with the rows of a store: none, or the first, one sentence each. */
export const findClashes = Effect.fnUntraced(function* (
  target: Adapter,
  source: BackupSource
): Effect.fn.Return<ReadonlyArray<string>, SourceError> {
  const clashes: Array<string> = []
  for (const table of source.tables) {
    if (sharedTables.has(table.name)) continue
    const columns = uniqueColumnsOf(table)
    if (columns.length === 0) continue
    yield* source.eachRows(
      table,
      Effect.fnUntraced(function* (rows) {
        for (const column of columns) {
          if (clashes.length >= maximumClashes) return
          clashes.push(...(yield* clashesIn(target, table, column, rows)))
        }
      })
    )
    if (clashes.length >= maximumClashes) break
  }
  return clashes.slice(0, maximumClashes)
})
