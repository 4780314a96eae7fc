/** Look-ups that examinations have in common: of many rows at once, never one by one. */
import { Effect } from "effect"
import { type ReadableRecords, type StorageUnavailable, type Table, Where } from "../storage/index.ts"

/** The most values of one condition. */
const valuesAtOnce = 500

/** Values in lists of a few hundred, each value once, without those that are null. */
export const inLists = <A>(
  values: Iterable<A | null | undefined>
): ReadonlyArray<ReadonlyArray<NonNullable<A>>> => {
  const all = [...new Set(values)].filter((value): value is NonNullable<A> => value != null)
  const lists: Array<ReadonlyArray<NonNullable<A>>> = []
  for (let at = 0; at < all.length; at += valuesAtOnce) lists.push(all.slice(at, at + valuesAtOnce))
  return lists
}

/** The rows whose column has one of the values, in no order. */
export const rowsWith = Effect.fnUntraced(function* <
  T extends Table.AnyTable,
  K extends keyof Table.Row<T> & string
>(
  records: ReadableRecords<T>,
  table: T,
  column: keyof Table.Row<T> & string,
  values: Iterable<string | null | undefined>,
  select: ReadonlyArray<K>,
  also: Where.Where<Table.Row<T>> = Where.all
): Effect.fn.Return<ReadonlyArray<Pick<Table.Row<T>, K>>, StorageUnavailable> {
  const found: Array<Pick<Table.Row<T>, K>> = []
  for (const list of inLists(values)) {
    const where = Where.and<Table.Row<T>>({ op: "in", column, values: list }, also)
    for (const row of yield* records.find<T, K>(table, { select, where })) found.push(row)
  }
  return found
})

/** The rows with these ids, by their ids. */
export const byId = <T extends Table.AnyTable, K extends keyof Table.Row<T> & string>(
  records: ReadableRecords<T>,
  table: T,
  ids: Iterable<string | null | undefined>,
  select: ReadonlyArray<K>
): Effect.Effect<ReadonlyMap<string, Pick<Table.Row<T>, K>>, StorageUnavailable> => {
  const key = table.key[0] as K
  const columns = select.includes(key) ? select : [key, ...select]
  return Effect.map(
    rowsWith(records, table, key, ids, columns),
    (rows) => new Map(rows.map((row) => [row[key] as string, row]))
  )
}

/** How many rows there are for each value of a column. */
export const counts = Effect.fnUntraced(function* <T extends Table.AnyTable>(
  records: ReadableRecords<T>,
  table: T,
  column: keyof Table.Row<T> & string,
  values: Iterable<string>,
  also: Where.Where<Table.Row<T>> = Where.all
): Effect.fn.Return<(value: string) => number, StorageUnavailable> {
  const found = new Map<unknown, number>()
  for (const list of inLists(values)) {
    const where = Where.and<Table.Row<T>>({ op: "in", column, values: list }, also)
    for (const [value, count] of yield* records.countBy(table, column, where)) found.set(value, count)
  }
  return (value) => found.get(value) ?? 0
})
