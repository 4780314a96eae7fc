/** The tables of stores in memory. */
import { type Table, TableMismatch } from "@lectern/core"
import { Effect } from "effect"

/** Adds the missing tables. Deletions cascade by the references of the listed tables. */
export const addTables = (
  tables: Array<Table.AnyTable>,
  added: ReadonlyArray<Table.AnyTable>
): Effect.Effect<void, TableMismatch> => {
  const found = new Map(tables.map((table) => [table.name, table]))
  const mismatched = added.filter((table) => shapeOf(found.get(table.name) ?? table) !== shapeOf(table))
  if (mismatched.length > 0) {
    return Effect.fail(TableMismatch.of(mismatched.map(({ name }) => `${name} was declared otherwise.`)))
  }
  tables.push(...added.filter(({ name }) => !found.has(name)))
  return Effect.void
}

/** The declaration of a table, as a string that can be compared. */
const shapeOf = ({ references, ...table }: Table.AnyTable): string =>
  JSON.stringify([
    table,
    Object.entries(references).map(([column, reference]) => [
      column,
      reference?.table().name,
      reference?.onRemove
    ])
  ])
