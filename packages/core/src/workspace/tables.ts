/** The tables of features, each after the tables that it references. */
import type { AnyFeature, Table } from "@lectern/kernel"
import { features } from "./features.ts"
import { foundationTables } from "./foundations.ts"

/** Moves each table after the tables that it references, and preserves the order otherwise. */
export const orderByReferences = (tables: ReadonlyArray<Table.AnyTable>): ReadonlyArray<Table.AnyTable> => {
  const ordered = new Set<Table.AnyTable>()
  const visited = new Set<Table.AnyTable>()
  const visit = (table: Table.AnyTable): void => {
    if (visited.has(table)) return
    visited.add(table)
    for (const reference of Object.values(table.references)) {
      const target = reference?.table()
      if (target !== undefined && tables.includes(target)) visit(target)
    }
    ordered.add(table)
  }
  for (const table of tables) visit(table)
  return [...ordered]
}

/** Every table of a workspace with these features. */
export const tablesOf = (features: ReadonlyArray<AnyFeature>): ReadonlyArray<Table.AnyTable> =>
  orderByReferences([...foundationTables, ...features.flatMap((feature) => feature.tables)])

/** Every table of the workspace, each after the tables that it references. */
export const tables: ReadonlyArray<Table.AnyTable> = tablesOf(features)
