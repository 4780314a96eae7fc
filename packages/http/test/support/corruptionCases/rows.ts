/** Changes rows without the checks of the workspace, to simulate corruption. */
import { type Records, type Table, tables, type Where } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Effect } from "effect"
import type { SampleWorkspace } from "../sampleWorkspace.ts"

type AnyRow = Record<string, unknown>

/** A corruption of a workspace, the check that reports it, and other checks that also report it. */
export interface CorruptionCase {
  readonly check: string
  readonly alsoReportedBy?: ReadonlyArray<string>
  readonly corrupt: (workspace: SampleWorkspace) => Effect.Effect<unknown, unknown, Records>
}

const tableOf = (name: string): Table.AnyTable & { readonly Row?: AnyRow } =>
  tables.find((table): table is typeof table & { readonly Row?: AnyRow } => table.name === name)!

/** The rows of a table in which columns have these values. */
export const findRows = (name: string, values: AnyRow = {}) =>
  Effect.flatMap(allRecords, (records) =>
    Effect.map(records.find(tableOf(name), {}), (rows) =>
      rows.filter((row) => Object.entries(values).every(([column, value]) => row[column] === value))
    )
  )

/** The first matching row. Dies if no row matches, as the case would corrupt nothing. */
const findFirst = (name: string, values: AnyRow) =>
  Effect.flatMap(findRows(name, values), ([row]) =>
    row === undefined ? Effect.die(new Error(`No row of ${name} matches.`)) : Effect.succeed(row)
  )

const whereKey = (table: Table.AnyTable, row: AnyRow): Where.AnyWhere => ({
  op: "and",
  conditions: table.key.map((column) => ({ op: "eq", column, value: row[column] as string }))
})

/** Changes the first row with these values. */
export const updateFirst = (name: string, values: AnyRow, changes: AnyRow | ((row: AnyRow) => AnyRow)) =>
  Effect.gen(function* () {
    const row = yield* findFirst(name, values)
    const change = typeof changes === "function" ? changes(row) : changes
    yield* (yield* allRecords).update(tableOf(name), whereKey(tableOf(name), row), change)
  })

/** Deletes the first row with these values. */
export const deleteFirst = (name: string, values: AnyRow) =>
  Effect.gen(function* () {
    const row = yield* findFirst(name, values)
    yield* (yield* allRecords).remove(tableOf(name), whereKey(tableOf(name), row))
  })

/** Inserts a row. */
export const insertRow = (name: string, row: AnyRow) =>
  Effect.flatMap(allRecords, (records) => records.insert(tableOf(name), row))

/** Inserts a copy of the first row with these values, changed. */
export const insertLike = (name: string, values: AnyRow, changes: AnyRow) =>
  Effect.gen(function* () {
    const row = yield* findFirst(name, values)
    yield* (yield* allRecords).insert(tableOf(name), { ...row, ...changes })
  })

/** An id that no row has. */
export const missingId = "nothing"
