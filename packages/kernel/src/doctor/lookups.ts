/** Batched queries that examinations share. */
import { Effect } from "effect"
import { type ReadableRecords, type StorageUnavailable, type Table, Where } from "../storage/index.ts"

/** The maximum number of values in one condition. */
const maximumValues = 500

/** Splits values into batches of at most 500, without duplicates and nulls. */
export const inBatches = <A>(
  values: Iterable<A | null | undefined>
): ReadonlyArray<ReadonlyArray<NonNullable<A>>> => {
  const all = [...new Set(values)].filter((value): value is NonNullable<A> => value != null)
  const batches: Array<ReadonlyArray<NonNullable<A>>> = []
  for (let at = 0; at < all.length; at += maximumValues) batches.push(all.slice(at, at + maximumValues))
  return batches
}

/** Reads the rows whose column equals one of the values, in no particular order. */
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
  for (const batch of inBatches(values)) {
    const where = Where.and<Table.Row<T>>({ op: "in", column, values: batch }, also)
    for (const row of yield* records.find<T, K>(table, { select, where })) found.push(row)
  }
  return found
})

/** Reads the rows with these ids into a map by id. */
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

/** Counts the rows for each value of a column. */
export const counts = Effect.fnUntraced(function* <T extends Table.AnyTable>(
  records: ReadableRecords<T>,
  table: T,
  column: keyof Table.Row<T> & string,
  values: Iterable<string>,
  also: Where.Where<Table.Row<T>> = Where.all
): Effect.fn.Return<(value: string) => number, StorageUnavailable> {
  const found = new Map<unknown, number>()
  for (const batch of inBatches(values)) {
    const where = Where.and<Table.Row<T>>({ op: "in", column, values: batch }, also)
    for (const [value, count] of yield* records.countBy(table, column, where)) found.set(value, count)
  }
  return (value) => found.get(value) ?? 0
})
