/** Removes rows whose references name rows that were lost. */
import type { DatabaseSync } from "node:sqlite"
import { quoteName, quoteNames, type Row, type SourceTable } from "./SourceTable.ts"

/** A reference of a table: its columns, and the columns of the target that they name. */
interface Reference {
  readonly columns: ReadonlyArray<string>
  readonly target: string
  readonly targetColumns: ReadonlyArray<string>
}

const referencesOf = (database: DatabaseSync, table: string): ReadonlyArray<Reference> => {
  const rows = database.prepare("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq").all(table)
  const references = new Map<
    number,
    { target: string; columns: Array<string>; targetColumns: Array<string> }
  >()
  for (const { id, table: target, from, to } of rows) {
    const reference = references.get(Number(id)) ?? { target: String(target), columns: [], targetColumns: [] }
    references.set(Number(id), reference)
    reference.columns.push(String(from))
    if (to !== null) reference.targetColumns.push(String(to))
  }
  return [...references.values()].map((reference) => ({
    ...reference,
    targetColumns:
      reference.targetColumns.length > 0
        ? reference.targetColumns
        : database
            .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
            .all(reference.target)
            .map(({ name }) => String(name))
  }))
}

/**
 * Removes the rows whose references name rows that do not exist, and then the rows that referred to these. Foreign keys must not
 * be enforced. Calls `onRemoved` with each row.
 */
export const removeDanglingRows = (
  database: DatabaseSync,
  tables: ReadonlyArray<SourceTable>,
  onRemoved: (table: SourceTable, row: Row) => void
): void => {
  const removals = tables.flatMap((table) =>
    referencesOf(database, table.name).map(({ columns, target, targetColumns }) => {
      const own = columns.map((column) => `${quoteName(table.name)}.${quoteName(column)}`)
      const matches = targetColumns.map((column, index) => `target.${quoteName(column)} = ${own[index]}`)
      const statement = database.prepare(
        `DELETE FROM ${quoteName(table.name)} WHERE ${own.map((column) => `${column} IS NOT NULL`).join(" AND ")} ` +
          `AND NOT EXISTS (SELECT 1 FROM ${quoteName(target)} AS target WHERE ${matches.join(" AND ")}) ` +
          `RETURNING ${quoteNames(table.columns)}`
      )
      statement.setReadBigInts(true)
      statement.setReturnArrays(true)
      return { table, statement }
    })
  )
  for (let removed = -1; removed !== 0; ) {
    removed = 0
    for (const { table, statement } of removals) {
      const rows = statement.all() as unknown as ReadonlyArray<Row>
      for (const row of rows) onRemoved(table, row)
      removed += rows.length
    }
  }
}
