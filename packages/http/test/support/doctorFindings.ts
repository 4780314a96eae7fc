/** Runs the doctor on workspaces and databases, and reads their rows. */
import { Doctor, Records, type RecordsAdapter, type Table, Workspace } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted, Stream } from "effect"
import { projectionDifferences } from "./projection.ts"

/** The findings of the doctor, and the differences between the replayed events and the tables, one line each. */
export const findings = Effect.gen(function* () {
  const all = yield* Stream.runCollect((yield* Doctor).findings)
  return [
    ...all.map(({ check, table, row, message }) => `${check}: ${table} ${row} ${message}`),
    ...(yield* projectionDifferences)
  ]
})

/** The store at a database URL of the server. */
export const storageAt = (database: string): Layer.Layer<RecordsAdapter, unknown> =>
  database.startsWith("sqlite:")
    ? SqliteStorage.layer({ filename: database.slice("sqlite:".length) })
    : PgStorage.layer({ url: Redacted.make(database) })

/** Opens the database at a URL; returns the findings of the doctor. */
export const examineDatabase = (database: string): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(Effect.provide(findings, Workspace.layer.pipe(Layer.provide(storageAt(database)))))

/** Opens the database at a URL; returns the rows of a table. */
export const rowsAt = <T extends Table.AnyTable>(
  database: string,
  table: T
): Promise<ReadonlyArray<Table.Row<T>>> =>
  Effect.runPromise(
    Effect.flatMap(allRecords, (records) => records.find(table, {})).pipe(
      Effect.provide(Records.layer.pipe(Layer.provide(storageAt(database))))
    )
  ) as Promise<ReadonlyArray<Table.Row<T>>>
