/** The tables of a corrupt file, and the order of their keys. */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite"

/** A value of a column. */
export type Value = SQLOutputValue

/** The values of a row, in the order of `SourceTable.columns`. */
export type Row = ReadonlyArray<Value>

/** A table that is copied. */
export interface SourceTable {
  readonly name: string
  /** The columns that are read and inserted. The key comes first. */
  readonly columns: ReadonlyArray<string>
  /** The columns that order the b-tree of the table: its primary key, or `rowid`. */
  readonly key: ReadonlyArray<string>
}

/** Quotes a name. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Quotes names, and separates them by commas. */
export const quoteNames = (names: ReadonlyArray<string>): string => names.map(quoteName).join(", ")

/** Reads the schema of a table. */
export const readSourceTable = (database: DatabaseSync, name: string, hasRowid: boolean): SourceTable => {
  const columns = database.prepare("SELECT name, pk FROM pragma_table_info(?)").all(name)
  const names = columns.map((column) => String(column.name))
  if (hasRowid) return { name, key: ["rowid"], columns: ["rowid", ...names] }
  const key = columns
    .filter(({ pk }) => Number(pk) > 0)
    .sort((one, other) => Number(one.pk) - Number(other.pk))
    .map((column) => String(column.name))
  return { name, key, columns: [...key, ...names.filter((column) => !key.includes(column))] }
}

/** Returns the key of a row. */
export const keyOf = ({ key }: SourceTable, row: Row): Row => row.slice(0, key.length)

/** Returns a string that identifies a key. */
export const encodeKey = (key: Row): string =>
  JSON.stringify(key.map((value) => [typeof value, value instanceof Uint8Array ? [...value] : String(value)]))

const rankOf = (value: Value): number =>
  value === null ? 0 : typeof value === "string" ? 2 : value instanceof Uint8Array ? 3 : 1

const compareValues = (one: Value, other: Value): number => {
  const byKind = rankOf(one) - rankOf(other)
  if (byKind !== 0 || one === null || other === null) return byKind
  if (typeof one === "string") return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  if (one instanceof Uint8Array) return Buffer.compare(one, other as Uint8Array)
  const number = other as number | bigint
  return one < number ? -1 : one > number ? 1 : 0
}

/** Compares keys in the order of SQLite's `BINARY` collation. */
export const compareKeys = (one: Row, other: Row): number => {
  for (const [index, value] of one.entries()) {
    const order = compareValues(value, other[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}
