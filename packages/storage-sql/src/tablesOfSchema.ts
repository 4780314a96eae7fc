/** Derives the tables of a released schema from its migrations. */
import type { Table } from "@lectern/kernel"
import { migrations } from "./migrations/index.ts"

/**
 * Returns the tables of the workspace at a version of the schema, each after the tables that it references, with the columns,
 * keys and references that they had then. An empty list for 0.
 *
 * @example
 * SqliteStorage.layer({ filename: "old.db", migrations: migrations.slice(0, 12) })
 * tablesOfSchema(12)
 */
export const tablesOfSchema = (version: number): ReadonlyArray<Table.AnyTable> => {
  const tables = new Map<string, Table.AnyTable>()
  for (const { changes, retires = [] } of migrations.slice(0, version)) {
    for (const name of retires) tables.delete(name)
    for (const change of changes) {
      if (change._tag === "CreateTable") {
        // A table that a migration creates again is another one, which comes after the tables that it references.
        tables.delete(change.table.name)
        tables.set(change.table.name, change.table)
      } else if (change._tag === "AddColumn") {
        const table = tables.get(change.table)!
        const references =
          change.reference === undefined
            ? table.references
            : { ...table.references, [change.name]: change.reference }
        const columns = { ...table.columns, [change.name]: change.column }
        tables.set(table.name, { ...table, columns, references })
      }
    }
  }
  return orderByReferences([...tables.values()])
}

/** Moves each table after the tables that it references, by their names. */
const orderByReferences = (tables: ReadonlyArray<Table.AnyTable>): ReadonlyArray<Table.AnyTable> => {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Set<Table.AnyTable>()
  const visited = new Set<string>()
  const visit = (table: Table.AnyTable): void => {
    if (visited.has(table.name)) return
    visited.add(table.name)
    for (const reference of Object.values(table.references)) {
      const target = reference === undefined ? undefined : byName.get(reference.table().name)
      if (target !== undefined) visit(target)
    }
    ordered.add(table)
  }
  for (const table of tables) visit(table)
  return [...ordered]
}
