/** Helpers for tests with fixed cases: conditions, and the verbs of `RecordsAdapter` as effects. */
import { type Find, type PlainRow, RecordsAdapter, type Table, Where, type WriteError } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"

/** Matches every row. */
export const everyRow: Where.AnyWhere = { op: "all" }

/** Matches rows in which the column equals the value. */
export const eq = (column: string, value: Where.Scalar): Where.AnyWhere => ({ op: "eq", column, value })

/** Matches rows that match all of the conditions. */
export const and = (...conditions: ReadonlyArray<Where.AnyWhere>): Where.AnyWhere => ({
  op: "and",
  conditions
})

/** Matches rows that do not match the condition. */
export const not = (condition: Where.AnyWhere): Where.AnyWhere => ({ op: "not", condition })

/** Returns the values of a column, in the order of `find`: by default of all rows, in ascending order of the key. */
export const listColumn = (table: Table.AnyTable, column: string, find: Partial<Find> = {}) =>
  Effect.flatMap(RecordsAdapter, (store) =>
    Effect.map(store.find(table, { where: everyRow, orderBy: [], direction: "asc", ...find }), (rows) =>
      rows.map((row) => row[column])
    )
  )

/** Inserts rows by one call of `insert`. */
export const insertRows = (table: Table.AnyTable, ...rows: ReadonlyArray<PlainRow>) =>
  Effect.flatMap(RecordsAdapter, (store) => store.insert(table, rows))

/** Inserts rows by one call of `insertMissing`. Returns the number of inserted rows. */
export const insertMissingRows = (table: Table.AnyTable, ...rows: ReadonlyArray<PlainRow>) =>
  Effect.flatMap(RecordsAdapter, (store) => store.insertMissing(table, rows))

/** Sets columns of the matching rows. Returns the number of matching rows. */
export const setColumns = (table: Table.AnyTable, where: Where.AnyWhere, values: PlainRow) =>
  Effect.flatMap(RecordsAdapter, (store) => store.update(table, where, { set: values, add: {} }))

/** Adds numbers to columns of the matching rows. Returns the number of matching rows. */
export const addToColumns = (
  table: Table.AnyTable,
  where: Where.AnyWhere,
  numbers: { readonly [column: string]: number }
) => Effect.flatMap(RecordsAdapter, (store) => store.update(table, where, { set: {}, add: numbers }))

/** Removes the matching rows. Returns their number. */
export const removeRows = (table: Table.AnyTable, where: Where.AnyWhere) =>
  Effect.flatMap(RecordsAdapter, (store) => store.remove(table, where))

/** Counts the matching rows, all by default. */
export const countRows = (table: Table.AnyTable, where: Where.AnyWhere = everyRow) =>
  Effect.flatMap(RecordsAdapter, (store) => store.count(table, where))

/** The column equals a value of a column of another table. */
export const inSelect = (
  column: string,
  table: Table.AnyTable,
  select: string,
  where: Where.AnyWhere
): Where.AnyWhere =>
  Where.inSelect<Table.Row<Table.AnyTable>, string, Table.UnprotectedTable, string>(
    column,
    // Tables of tests have no protection.
    table as Table.UnprotectedTable,
    select,
    where
  )

/** The condition that matches the row with a key. */
export const whereKey = (key: PlainRow): Where.AnyWhere =>
  and(...Object.entries(key).map(([column, value]) => eq(column, value as Where.Scalar)))

/** Increments a column of a row, and returns the new value; undefined if there is no such row. */
export const nextNumber = (table: Table.AnyTable, key: PlainRow, column: string) =>
  Effect.flatMap(RecordsAdapter, (store) => store.next(table, whereKey(key), column))

/** Runs an effect as one transaction. */
export const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(RecordsAdapter, (store) => store.transaction(self))

/** Asserts that a verb fails with a violation of this table. */
export const expectViolation = <A, R>(
  verb: Effect.Effect<A, WriteError, R>,
  tag: "UniqueViolation" | "ReferenceViolation",
  table: Table.AnyTable
) =>
  Effect.matchEffect(verb, {
    onFailure: (error) =>
      Effect.sync(() => expect({ ...error }).toMatchObject({ _tag: tag, table: table.name })),
    onSuccess: (value) =>
      Effect.die(new Error(`Expected ${tag} of ${table.name}, but the verb returned ${String(value)}.`))
  })
