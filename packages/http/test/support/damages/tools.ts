/** What damage is done with: rows are changed by whoever knows the store, behind the back of the product. */
import { Records, type Table, tables, type Where } from "@lectern/core"
import { Effect } from "effect"
import type { Furnished } from "../furnished.ts"

export type AnyRow = Record<string, unknown>

/** What is done, and which other checks have to notice it too. */
export interface Damage {
  readonly check: string
  readonly also?: ReadonlyArray<string>
  readonly done: (furnished: Furnished) => Effect.Effect<unknown, unknown, Records>
}

export const tableOf = (name: string): Table.AnyTable => tables.find((table) => table.name === name)!

/** The rows of a table in which columns have these values. */
export const find = (name: string, values: AnyRow = {}) =>
  Effect.flatMap(Records, (records) =>
    Effect.map(records.find(tableOf(name), {}), (rows) =>
      (rows as ReadonlyArray<AnyRow>).filter((row) =>
        Object.entries(values).every(([column, value]) => row[column] === value)
      )
    )
  )

export const whereKey = (table: Table.AnyTable, row: AnyRow): Where.AnyWhere => ({
  op: "and",
  conditions: table.key.map((column) => ({ op: "eq", column, value: row[column] as string }))
})

/** Changes the first row with these values. There has to be one, or the damage would be none. */
export const set = (name: string, values: AnyRow, changes: AnyRow | ((row: AnyRow) => AnyRow)) =>
  Effect.gen(function* () {
    const records = yield* Records
    const [row] = yield* find(name, values)
    if (row === undefined) return yield* Effect.die(new Error(`There is no such row of ${name}.`))
    const change = typeof changes === "function" ? changes(row) : changes
    yield* records.update(tableOf(name), whereKey(tableOf(name), row), change)
  })

export const drop = (name: string, values: AnyRow) =>
  Effect.gen(function* () {
    const records = yield* Records
    const [row] = yield* find(name, values)
    if (row === undefined) return yield* Effect.die(new Error(`There is no such row of ${name}.`))
    yield* records.remove(tableOf(name), whereKey(tableOf(name), row))
  })

/** Adds a row like the first with these values. */
export const addLike = (name: string, values: AnyRow, changes: AnyRow) =>
  Effect.gen(function* () {
    const [row] = yield* find(name, values)
    const records = yield* Records
    yield* records.insert(tableOf(name), { ...row, ...changes } as never)
  })

/** The id of nothing. */
export const nothing = "nothing"
