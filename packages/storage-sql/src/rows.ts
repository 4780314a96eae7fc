/** Rows as the database gives them, made into what their table declares. */
import type { PlainRow, Table } from "@lectern/core"

type Fix = (value: unknown) => unknown

const fixes: { readonly [K in Table.ColumnKind]: Fix | undefined } = {
  text: undefined,
  // Databases count further than JavaScript does; all our integers are safe ones.
  integer: (value) => (typeof value === "number" ? value : Number(value)),
  boolean: (value) => value === true || value === 1,
  json: (value) => JSON.parse(value as string),
  // Drivers have byte arrays of their own kinds.
  bytes: (value) =>
    Object.getPrototypeOf(value) === Uint8Array.prototype ? value : Uint8Array.from(value as Uint8Array)
}

const decoders = new WeakMap<Table.AnyTable, ReadonlyArray<readonly [column: string, fix: Fix]>>()

/** The columns of a table that need looking at: made once, so that rows of text pass through untouched. */
const columnsToFix = (table: Table.AnyTable): ReadonlyArray<readonly [string, Fix]> => {
  const known = decoders.get(table)
  if (known !== undefined) return known
  const columns = Object.entries(table.columns).flatMap(([name, { kind }]) => {
    const fix = fixes[kind]
    return fix === undefined ? [] : [[name, fix] as const]
  })
  decoders.set(table, columns)
  return columns
}

/** Makes rows of a table what it declares, in place: they are the driver's fresh objects, and nobody else's. */
export const fixRows = (table: Table.AnyTable, rows: ReadonlyArray<PlainRow>): ReadonlyArray<PlainRow> => {
  const columns = columnsToFix(table)
  if (columns.length === 0) return rows
  for (const row of rows as ReadonlyArray<Record<string, unknown>>) {
    for (const [column, fix] of columns) {
      const value = row[column]
      if (value !== null && value !== undefined) row[column] = fix(value)
    }
  }
  return rows
}
