/** The rows of one table as a value: by key and by unique set, so that none has to be looked for. */
import { type PlainRow, type Table, UniqueViolation } from "@lectern/core"
import { HashMap, Option } from "effect"

/** Never changed: writing makes another one, which shares with it what is the same. */
export interface Rows {
  readonly byKey: HashMap.HashMap<string, PlainRow>
  /** For each unique set of the table, the values that rows have in it. */
  readonly taken: ReadonlyArray<HashMap.HashMap<string, true>>
}

/** No rows of a table. */
export const empty = (table: Table.AnyTable): Rows => ({
  byKey: HashMap.empty(),
  taken: table.unique.map(() => HashMap.empty())
})

/** Values in words: two lists of them are the same where their words are. */
export const wordsOf = (values: ReadonlyArray<unknown>): string => JSON.stringify(values)

/** The key of a row, in words. */
export const keyOf = (table: Table.AnyTable, row: PlainRow): string =>
  wordsOf(table.key.map((column) => row[column]))

/** The row with a key, or `undefined`. */
export const get = (rows: Rows, key: string): PlainRow | undefined =>
  Option.getOrUndefined(HashMap.get(rows.byKey, key))

/** What a row has in a unique set, in words; `undefined` where a null is among it, and it is not compared. */
const takenBy = (columns: ReadonlyArray<string>, row: PlainRow): string | undefined => {
  const values = columns.map((column) => row[column])
  return values.includes(null) ? undefined : wordsOf(values)
}

/** Without the rows. */
export const without = (table: Table.AnyTable, rows: Rows, gone: ReadonlyArray<PlainRow>): Rows => {
  let { byKey } = rows
  for (const row of gone) byKey = HashMap.remove(byKey, keyOf(table, row))
  const taken = table.unique.map((columns, index) => {
    let set = rows.taken[index]!
    for (const row of gone) {
      const values = takenBy(columns, row)
      if (values !== undefined) set = HashMap.remove(set, values)
    }
    return set
  })
  return { byKey, taken }
}

/** With rows more, all or none: no key and no unique set may be shared with another, old or new. */
export const withMore = (
  table: Table.AnyTable,
  rows: Rows,
  added: ReadonlyArray<PlainRow>
): Rows | UniqueViolation => {
  let { byKey } = rows
  for (const row of added) {
    const key = keyOf(table, row)
    if (HashMap.has(byKey, key)) return new UniqueViolation({ table: table.name })
    byKey = HashMap.set(byKey, key, row)
  }
  const taken = [...rows.taken]
  for (const [index, columns] of table.unique.entries()) {
    let set = taken[index]!
    for (const row of added) {
      const values = takenBy(columns, row)
      if (values === undefined) continue
      if (HashMap.has(set, values)) return new UniqueViolation({ table: table.name })
      set = HashMap.set(set, values, true)
    }
    taken[index] = set
  }
  return { byKey, taken }
}

const isA: { readonly [K in Table.ColumnKind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === "string",
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === "boolean",
  json: (value) => value !== undefined,
  bytes: (value) => value instanceof Uint8Array
}

const freeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze)
    Object.freeze(value)
  }
  return value
}

/**
 * A row as it is kept: nobody who has it can change it, and JSON is what it would be after a way through text. What
 * its columns cannot hold is a mistake of the caller's code, and thrown as a defect.
 */
export const kept = (table: Table.AnyTable, row: PlainRow): PlainRow => {
  const columns = Object.entries(table.columns).map(([name, { kind, nullable }]) => {
    const value = row[name]
    if (value === null && nullable) return [name, null]
    if (!isA[kind](value)) throw new TypeError(`${table.name}.${name} cannot hold ${String(value)}`)
    if (kind === "json") return [name, freeze(JSON.parse(JSON.stringify(value)))]
    if (kind === "bytes") return [name, Uint8Array.from(value as Uint8Array)]
    // There is one zero.
    return [name, value === 0 ? 0 : value]
  })
  return Object.freeze(Object.fromEntries(columns))
}
