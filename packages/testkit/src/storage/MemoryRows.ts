/** The rows of one table as an immutable value, indexed by key and by unique constraint. */
import { type PlainRow, type Table, UniqueViolation } from "@lectern/core"
import { HashMap, Option } from "effect"

/** The rows of a table. Immutable: a write returns a new value that shares its structure with the old one. */
export interface Rows {
  /** The rows by serialized key. */
  readonly byKey: HashMap.HashMap<string, PlainRow>
  /** The rows by the first column of a key of several columns, then by serialized key, so that a read of one group scans no other. */
  readonly groups: HashMap.HashMap<unknown, HashMap.HashMap<string, PlainRow>>
  /** For each unique constraint of the table, the serialized values of its columns in all rows. */
  readonly uniqueValues: ReadonlyArray<HashMap.HashMap<string, true>>
  /** The greatest number that was inserted into the generated column of the table. */
  readonly lastGenerated: number
}

/** Returns a table without rows. */
export const emptyRows = (table: Table.AnyTable): Rows => ({
  byKey: HashMap.empty(),
  groups: HashMap.empty(),
  uniqueValues: table.unique.map(() => HashMap.empty()),
  lastGenerated: 0
})

/** Serializes values, so that two lists are equal if and only if the results are. */
export const serializeValues = (values: ReadonlyArray<unknown>): string => JSON.stringify(values)

/** Returns the serialized key of a row. */
export const keyOf = (table: Table.AnyTable, row: PlainRow): string =>
  serializeValues(table.key.map((column) => row[column]))

/** The column that rows are grouped by; undefined for a key of one column. */
export const groupColumn = (table: Table.AnyTable): string | undefined =>
  table.key.length > 1 ? table.key[0] : undefined

/** Returns the rows of a group. */
export const groupOf = (rows: Rows, value: unknown): HashMap.HashMap<string, PlainRow> =>
  Option.getOrElse(HashMap.get(rows.groups, value), () => HashMap.empty<string, PlainRow>())

/** Returns the groups with a row that is added, or removed. */
const changeGroup = (
  rows: Rows,
  column: string | undefined,
  [key, row]: readonly [key: string, row: PlainRow],
  isAdded: boolean
): Rows["groups"] => {
  if (column === undefined) return rows.groups
  const group = groupOf(rows, row[column])
  const changed = isAdded ? HashMap.set(group, key, row) : HashMap.remove(group, key)
  return HashMap.isEmpty(changed)
    ? HashMap.remove(rows.groups, row[column])
    : HashMap.set(rows.groups, row[column], changed)
}

/** Returns the row with a serialized key, or `undefined`. */
export const getRow = (rows: Rows, key: string): PlainRow | undefined =>
  Option.getOrUndefined(HashMap.get(rows.byKey, key))

/** Returns the serialized values of a unique constraint; `undefined` if one is null, as nulls are not compared. */
const uniqueValueOf = (columns: ReadonlyArray<string>, row: PlainRow): string | undefined => {
  const values = columns.map((column) => row[column])
  return values.includes(null) ? undefined : serializeValues(values)
}

/** Returns the table without the rows. */
export const removeRows = (table: Table.AnyTable, rows: Rows, removed: ReadonlyArray<PlainRow>): Rows => {
  let { byKey, groups } = rows
  const column = groupColumn(table)
  for (const row of removed) {
    const key = keyOf(table, row)
    byKey = HashMap.remove(byKey, key)
    groups = changeGroup({ ...rows, groups }, column, [key, row], false)
  }
  const uniqueValues = table.unique.map((columns, index) => {
    let set = rows.uniqueValues[index]!
    for (const row of removed) {
      const values = uniqueValueOf(columns, row)
      if (values !== undefined) set = HashMap.remove(set, values)
    }
    return set
  })
  return { ...rows, byKey, groups, uniqueValues }
}

/**
 * Returns the table with the added rows, or `UniqueViolation` if one has the key or the unique values of another row.
 */
export const addRows = (
  table: Table.AnyTable,
  rows: Rows,
  added: ReadonlyArray<PlainRow>
): Rows | UniqueViolation => {
  let { byKey, groups, lastGenerated } = rows
  const column = groupColumn(table)
  const generated = table.columns[table.key[0]!]?.generated === true ? table.key[0] : undefined
  for (const row of added) {
    if (generated !== undefined) lastGenerated = Math.max(lastGenerated, row[generated] as number)
    const key = keyOf(table, row)
    if (HashMap.has(byKey, key)) return new UniqueViolation({ table: table.name })
    byKey = HashMap.set(byKey, key, row)
    groups = changeGroup({ ...rows, groups }, column, [key, row], true)
  }
  const uniqueValues = [...rows.uniqueValues]
  for (const [index, columns] of table.unique.entries()) {
    let set = uniqueValues[index]!
    for (const row of added) {
      const values = uniqueValueOf(columns, row)
      if (values === undefined) continue
      if (HashMap.has(set, values)) return new UniqueViolation({ table: table.name })
      set = HashMap.set(set, values, true)
    }
    uniqueValues[index] = set
  }
  return { byKey, groups, uniqueValues, lastGenerated }
}

const isValidValue: { readonly [K in Table.ColumnKind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === "string",
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === "boolean",
  json: (value) => value !== undefined,
  bytes: (value) => value instanceof Uint8Array
}

const deepFreeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}

/**
 * Returns a row in the form in which it is stored: frozen, with JSON as it is after serialization. Throws `TypeError`
 * for a value that its column cannot hold, which is a defect of the caller.
 */
export const toStoredRow = (table: Table.AnyTable, row: PlainRow): PlainRow => {
  const columns = Object.entries(table.columns).map(([name, { kind, nullable }]) => {
    const value = row[name]
    if (value === null && nullable) return [name, null]
    if (!isValidValue[kind](value))
      throw new TypeError(`The ${kind} column ${table.name}.${name} cannot hold ${String(value)}.`)
    if (kind === "json") return [name, deepFreeze(JSON.parse(JSON.stringify(value)))]
    if (kind === "bytes") return [name, Uint8Array.from(value as Uint8Array)]
    // Databases do not distinguish -0 from 0.
    return [name, value === 0 ? 0 : value]
  })
  return Object.freeze(Object.fromEntries(columns))
}
