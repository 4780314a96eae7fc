/** The tables of stores and of backups, at every released schema. */
import { BackupError, type BackupSource, type Table, tables } from "@lectern/core"
import { migrations, tablesOfSchema } from "@lectern/storage-sql"
import { Effect } from "effect"

/** The version of the schema of this version of Lectern. */
export const latestSchema: number = migrations.length

/** Returns the tables of a store with a schema. Only those of the latest declare which rows belong to an organization. */
export const tablesOfStore = (schema: number): ReadonlyArray<Table.AnyTable> =>
  schema === latestSchema ? tables : tablesOfSchema(schema)

const shapeOf = (table: Table.AnyTable | undefined): string =>
  JSON.stringify([
    Object.entries(table?.columns ?? {})
      .map(([name, { kind, nullable }]) => [name, kind, nullable])
      .sort(),
    table?.key
  ])

/**
 * Fails unless the tables of a backup are those of its schema. Its files are not trusted: their names would become part of
 * statements.
 */
export const requireKnownTables = ({
  schema,
  organization,
  tables: found
}: BackupSource): Effect.Effect<void, BackupError> => {
  if (schema < 1 || schema > latestSchema) {
    return Effect.fail(
      new BackupError({
        reason: "SchemaMismatch",
        message: `The backup has the schema ${schema}, and this version of Lectern supports at most ${latestSchema}. Run a newer version.`
      })
    )
  }
  if (organization !== undefined && schema !== latestSchema) {
    return Effect.fail(
      new BackupError({
        reason: "SchemaMismatch",
        message: `The backup of an organization has the schema ${schema}, and the target ${latestSchema}. Import it with the version that exported it into a new database, and export it again after \`lectern migrate\`.`
      })
    )
  }
  const known = new Map(tablesOfSchema(schema).map((table) => [table.name, table]))
  const wrong = found.find((table) => shapeOf(table) !== shapeOf(known.get(table.name)))
  const isIncomplete = organization === undefined && found.length !== known.size - 1
  if (wrong === undefined && !isIncomplete) return Effect.void
  return Effect.fail(
    new BackupError({
      reason: "SchemaMismatch",
      message: `The tables of the backup are not those of the schema ${schema}${wrong === undefined ? "" : `: ${wrong.name} differs`}.`
    })
  )
}
