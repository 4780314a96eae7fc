/** The statements that a store asks for its lists, as text, and lists that have to be served by an index. */
import { type Find, type PlainRow, RecordsAdapter } from "@lectern/core"
import { type Dialect, SqlRecords } from "@lectern/storage-sql"
import { Effect, type Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { files, folders } from "./tables.ts"

/** How many rows there are in the folder that is listed, beside as many in another one. */
const rows = 3_000

/** Fills the tables, so that going through all rows is a bad plan. */
export const fill = Effect.gen(function* () {
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
      Array.from({ length: rows }, (_, index) => file(id, index))
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

/** The first page of a list and one far behind it, both ways, by an index and by the key. */
export const pages: ReadonlyArray<readonly [name: string, find: Find]> = (["asc", "desc"] as const).flatMap(
  (direction) => {
    const bySize = { where: inFolder, orderBy: ["size"], direction, limit: 51 }
    const byName = { where: inFolder, orderBy: ["name"], direction, limit: 51 }
    return [
      [`the first page by an index, ${direction}`, bySize],
      [`a late page by an index, ${direction}`, { ...bySize, after: [50, "1", "00001050"] }],
      [`the first page by the key, ${direction}`, byName],
      [`a late page by the key, ${direction}`, { ...byName, after: ["00001500", "1"] }]
    ] as const
  }
)

/** The text and the parameters of what the store asks for a list. */
export const statementOf = (
  dialect: Dialect,
  find: Find
): Effect.Effect<readonly [text: string, parameters: ReadonlyArray<unknown>], unknown, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const asked: Array<readonly [string, ReadonlyArray<unknown>]> = []
    const layer = SqlRecords.layer(dialect, (text, parameters) =>
      Effect.sync(() => {
        asked.push([text, parameters])
        return []
      })
    )
    yield* Effect.flatMap(RecordsAdapter, (store) => store.find(files, find)).pipe(
      Effect.provide(layer as Layer.Layer<RecordsAdapter, never, SqlClient.SqlClient>)
    )
    return asked[0]!
  })
