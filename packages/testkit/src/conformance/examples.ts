/** Short ways to say what the examples need: conditions, lists, and how verbs fail. */
import { type Find, type PlainRow, RecordsAdapter, type Table, Where, type WriteError } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"

/** Every row. */
export const all: Where.AnyWhere = { op: "all" }

/** The column equals the value. */
export const eq = (column: string, value: Where.Scalar): Where.AnyWhere => ({ op: "eq", column, value })

/** All of the conditions. */
export const and = (...conditions: ReadonlyArray<Where.AnyWhere>): Where.AnyWhere => ({
  op: "and",
  conditions
})

/** Not the condition. */
export const not = (condition: Where.AnyWhere): Where.AnyWhere => ({ op: "not", condition })

/** The values of a column, in the order in which `find` gives the rows: of all rows, by key, unless it is said. */
export const list = (table: Table.AnyTable, column: string, find: Partial<Find> = {}) =>
  Effect.flatMap(RecordsAdapter, (store) =>
    Effect.map(store.find(table, { where: all, orderBy: [], direction: "asc", ...find }), (rows) =>
      rows.map((row) => row[column])
    )
  )

/** Inserts rows, one call for all. */
export const insert = (table: Table.AnyTable, ...rows: ReadonlyArray<PlainRow>) =>
  Effect.flatMap(RecordsAdapter, (store) => store.insert(table, rows))

/** Inserts the rows that are missing. */
export const insertMissing = (table: Table.AnyTable, ...rows: ReadonlyArray<PlainRow>) =>
  Effect.flatMap(RecordsAdapter, (store) => store.insertMissing(table, rows))

/** Sets columns. */
export const set = (table: Table.AnyTable, where: Where.AnyWhere, values: PlainRow) =>
  Effect.flatMap(RecordsAdapter, (store) => store.update(table, where, { set: values, add: {} }))

/** Adds to columns. */
export const add = (
  table: Table.AnyTable,
  where: Where.AnyWhere,
  numbers: { readonly [column: string]: number }
) => Effect.flatMap(RecordsAdapter, (store) => store.update(table, where, { set: {}, add: numbers }))

/** Removes rows. */
export const remove = (table: Table.AnyTable, where: Where.AnyWhere) =>
  Effect.flatMap(RecordsAdapter, (store) => store.remove(table, where))

/** Counts rows. */
export const count = (table: Table.AnyTable, where: Where.AnyWhere = all) =>
  Effect.flatMap(RecordsAdapter, (store) => store.count(table, where))

/** The column is one of the values that rows of another table have. */
export const inSelect = (
  column: string,
  table: Table.AnyTable,
  select: string,
  where: Where.AnyWhere
): Where.AnyWhere =>
  Where.inSelect<Table.Row<Table.AnyTable>, string, Table.UnprotectedTable, string>(
    column,
    table as Table.UnprotectedTable,
    select,
    where
  )

/** The condition that names a row by its key. */
export const whereKey = (key: PlainRow): Where.AnyWhere =>
  and(...Object.entries(key).map(([column, value]) => eq(column, value as Where.Scalar)))

/** The next number. */
export const next = (table: Table.AnyTable, key: PlainRow, column: string) =>
  Effect.flatMap(RecordsAdapter, (store) => store.next(table, whereKey(key), column))

/** As one transaction. */
export const transaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(RecordsAdapter, (store) => store.transaction(self))

/** The verb fails so, for this table. */
export const refuses = <A, R>(
  verb: Effect.Effect<A, WriteError, R>,
  tag: "UniqueViolation" | "ReferenceViolation",
  table: Table.AnyTable
) =>
  Effect.matchEffect(verb, {
    onFailure: (error) =>
      Effect.sync(() => expect({ ...error }).toMatchObject({ _tag: tag, table: table.name })),
    onSuccess: (answer) =>
      Effect.die(new Error(`A verb that has to fail with ${tag} answers ${String(answer)}`))
  })
