/** The tables of stores in memory. */
import { type PlainRow, type Table, TableMismatch } from "@lectern/core"
import { Effect } from "effect"

/**
 * Adds the missing tables, and the missing columns of others. Deletions cascade by the references of the listed tables. `fill` sets
 * values in all rows of a table.
 */
export const addTables = (
  tables: Array<Table.AnyTable>,
  added: ReadonlyArray<Table.AnyTable>,
  fill: (table: Table.AnyTable, values: PlainRow) => Effect.Effect<unknown>
): Effect.Effect<void, TableMismatch> => {
  const found = new Map(tables.map((table) => [table.name, table]))
  const mismatched = added.filter((table) => {
    const existing = found.get(table.name)
    return existing !== undefined && shapeOf(existing) !== shapeOf(withoutMissing(existing, table))
  })
  if (mismatched.length > 0) {
    return Effect.fail(TableMismatch.of(mismatched.map(({ name }) => `${name} was declared otherwise.`)))
  }
  return Effect.forEach(
    added,
    (table) => {
      const existing = found.get(table.name)
      if (existing === undefined) return Effect.sync(() => tables.push(table))
      tables.splice(tables.indexOf(existing), 1, table)
      return fill(table, missingValues(existing, table))
    },
    { discard: true }
  )
}

/** Returns the values of `backfill` for the columns that an existing table lacks. */
const missingValues = (existing: Table.AnyTable, { backfill = {} }: Table.AnyTable): PlainRow =>
  Object.fromEntries(Object.entries(backfill).filter(([name]) => !Object.hasOwn(existing.columns, name)))

/** Returns a declaration without the columns that an existing table lacks and that can be added. */
const withoutMissing = (existing: Table.AnyTable, table: Table.AnyTable): Table.AnyTable => {
  const missing = missingValues(existing, table)
  return {
    ...table,
    columns: Object.fromEntries(
      Object.entries(table.columns).filter(([name]) => !Object.hasOwn(missing, name))
    )
  }
}

/** The declaration of a table, as a string that can be compared. */
const shapeOf = ({ references, indexes: _, backfill: __, ...table }: Table.AnyTable): string =>
  JSON.stringify([
    table,
    Object.entries(references).map(([column, reference]) => [
      column,
      reference?.table().name,
      reference?.onRemove
    ])
  ])
