/** Decodes the rows of a driver into the values that their table declares. */
import type { PlainRow, Table } from "@lectern/kernel"

type DecodeValue = (value: unknown) => unknown

const valueDecoders: { readonly [K in Table.ColumnKind]: DecodeValue | undefined } = {
  text: undefined,
  // Drivers can return a 64-bit integer as a bigint or a string. Lectern stores safe integers only.
  integer: (value) => (typeof value === "number" ? value : Number(value)),
  boolean: (value) => value === true || value === 1,
  json: (value) => JSON.parse(value as string),
  // Drivers return subclasses of `Uint8Array`, such as `Buffer`.
  bytes: (value) =>
    Object.getPrototypeOf(value) === Uint8Array.prototype ? value : Uint8Array.from(value as Uint8Array)
}

type ColumnDecoders = ReadonlyArray<readonly [column: string, decode: DecodeValue]>

const cache = new WeakMap<Table.AnyTable, ColumnDecoders>()

/** Returns the decoders of the columns that need decoding, cached by table. Text columns do not. */
const columnDecoders = (table: Table.AnyTable): ColumnDecoders => {
  const cached = cache.get(table)
  if (cached !== undefined) return cached
  const columns = Object.entries(table.columns).flatMap(([name, { kind }]) => {
    const decode = valueDecoders[kind]
    return decode === undefined ? [] : [[name, decode] as const]
  })
  cache.set(table, columns)
  return columns
}

/** Decodes rows of a table in place, which is safe since the driver creates new row objects for each query. */
export const decodeRows = (table: Table.AnyTable, rows: ReadonlyArray<PlainRow>): ReadonlyArray<PlainRow> => {
  const columns = columnDecoders(table)
  if (columns.length === 0) return rows
  for (const row of rows as ReadonlyArray<Record<string, unknown>>) {
    for (const [column, decode] of columns) {
      const value = row[column]
      if (value !== null && value !== undefined) row[column] = decode(value)
    }
  }
  return rows
}
