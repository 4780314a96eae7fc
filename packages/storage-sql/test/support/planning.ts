/** Helpers for tests of query plans: the lists that an index must serve, and the statements that select them. */
import { type Find, type PlainRow, RecordsAdapter } from "@lectern/core"
import { type Dialect, SqlRecords } from "@lectern/storage-sql"
import { Effect, type Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { files, folders } from "./tables.ts"

/** The number of rows in the listed folder; a second folder has as many. */
const rowsPerFolder = 3_000

/** Inserts {@link rowsPerFolder} rows per folder, so that a sequential scan is expensive. */
export const insertRows = Effect.gen(function* () {
  const store = yield* RecordsAdapter
  const file = (folder: string, index: number): PlainRow => ({
    folder,
    name: `${index}`.padStart(8, "0"),
    size: index % 100,
    starred: index % 2 === 0,
    kind: null,
    checked: null,
    rank: null,
    content: null,
    extra: null
  })
  for (const id of ["1", "2"]) {
    yield* store.insert(folders, [{ id, parent: null, name: id }])
    yield* store.insert(
      files,
      Array.from({ length: rowsPerFolder }, (_, index) => file(id, index))
    )
  }
})

const inFolder = {
  op: "and",
  conditions: [
    { op: "eq", column: "folder", value: "1" },
    { op: "eq", column: "starred", value: true }
  ]
} as const

/** The first and a late page of lists in both directions, ordered by an indexed column and by the key. */
export const pageQueries: ReadonlyArray<readonly [name: string, find: Find]> = (
  ["asc", "desc"] as const
).flatMap((direction) => {
  const bySize = { where: inFolder, orderBy: ["size"], direction, limit: 51 }
  const byName = { where: inFolder, orderBy: ["name"], direction, limit: 51 }
  return [
    [`the first page in the order of an index, ${direction}`, bySize],
    [`a late page in the order of an index, ${direction}`, { ...bySize, after: [50, "1", "00001050"] }],
    [`the first page in the order of the key, ${direction}`, byName],
    [`a late page in the order of the key, ${direction}`, { ...byName, after: ["00001500", "1"] }]
  ] as const
})

/** Returns the text and the parameters of the statement that the store executes for a list. */
export const captureStatement = (
  dialect: Dialect,
  find: Find
): Effect.Effect<readonly [text: string, parameters: ReadonlyArray<unknown>], unknown, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const executed: Array<readonly [string, ReadonlyArray<unknown>]> = []
    const layer = SqlRecords.layer(dialect, {
      executeOutsideTransaction: (text, parameters) =>
        Effect.sync(() => {
          executed.push([text, parameters])
          return []
        })
    })
    yield* Effect.flatMap(RecordsAdapter, (store) => store.find(files, find)).pipe(
      Effect.provide(layer as Layer.Layer<RecordsAdapter, never, SqlClient.SqlClient>)
    )
    return executed[0]!
  })
