/** The tables of stores and of backups, at every released schema. */
import { BackupError, blobs, type Table, tables } from "@lectern/core"
import { migrations, tablesOfSchema } from "@lectern/storage-sql"
import { Effect } from "effect"
import type { Manifest } from "./manifest.ts"

/** The version of the schema of this version of Lectern. */
export const latestSchema: number = migrations.length

/** Returns the tables of a store with a schema. Only the tables of the latest schema declare which rows belong to an organization. */
export const tablesOfStore = (schema: number): ReadonlyArray<Table.AnyTable> =>
  schema === latestSchema ? tables : tablesOfSchema(schema)

const shapeOf = (table: Pick<Table.AnyTable, "columns" | "key"> | undefined): string =>
  JSON.stringify([
    Object.entries(table?.columns ?? {})
      .map(([name, { kind, nullable }]) => [name, kind, nullable])
      .sort(),
    table?.key
  ])

const mismatch = (message: string) => Effect.fail(new BackupError({ reason: "SchemaMismatch", message }))

/**
 * Returns the tables of a backup, as this version of Lectern declares them. Fails unless the manifest has the tables of its
 * schema, with the same columns.
 */
export const knownTablesOf = ({
  schema,
  organization,
  tables: found
}: Manifest): Effect.Effect<ReadonlyArray<Table.AnyTable>, BackupError> => {
  if (schema < 1 || schema > latestSchema) {
    return mismatch(
      `The backup has the schema ${schema}, and this version of Lectern supports at most ${latestSchema}. Run a newer version.`
    )
  }
  if (organization !== null && schema !== latestSchema) {
    return mismatch(
      `The backup of an organization has the schema ${schema}, and this version of Lectern reads only ${latestSchema}. Export it again, after \`lectern migrate\`.`
    )
  }
  const declared = new Map(found.map((table) => [table.name, table]))
  // Blobs are not rows of a backup.
  const expected = tablesOfStore(schema).filter(({ name }) => name !== blobs.name)
  const known = expected.filter(({ name }) => declared.has(name))
  const wrong = known.find((table) => shapeOf(table) !== shapeOf(declared.get(table.name)))
  const isComplete = known.length === found.length && found.length === declared.size
  if (wrong === undefined && isComplete && (organization !== null || known.length === expected.length)) {
    return Effect.succeed(known)
  }
  return mismatch(
    `The tables of the backup differ from the schema ${schema}${wrong === undefined ? "" : `, such as ${wrong.name}`}.`
  )
}
