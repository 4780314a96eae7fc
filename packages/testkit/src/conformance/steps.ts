/** Arbitraries of steps on a store: verbs and nested transactions. */
import type { Change, Find, PlainRow, Table, Where } from "@lectern/core"
import * as fc from "fast-check"
import { findArbitrary, tableArbitrary, whereArbitrary } from "./conditions.ts"
import { folders, notes, people, pins } from "./tables.ts"
import { rowArbitrary, scalarArbitrary, scalarColumns, valueArbitrary } from "./values.ts"

/** How a transaction ends. `killed` is interrupted by another fiber; `interrupt` interrupts itself. */
type End = "succeed" | "fail" | "die" | "interrupt" | "killed"

/** A step on a store. */
export type Step =
  | { readonly do: "find"; readonly table: Table.AnyTable; readonly find: Find }
  | { readonly do: "count"; readonly table: Table.AnyTable; readonly where: Where.AnyWhere }
  | {
      readonly do: "countBy"
      readonly table: Table.AnyTable
      readonly column: string
      readonly where: Where.AnyWhere
    }
  | {
      readonly do: "insert" | "insertMissing"
      readonly table: Table.AnyTable
      readonly rows: ReadonlyArray<PlainRow>
    }
  | {
      readonly do: "update"
      readonly table: Table.AnyTable
      readonly where: Where.AnyWhere
      readonly change: Change
    }
  | { readonly do: "remove"; readonly table: Table.AnyTable; readonly where: Where.AnyWhere }
  | {
      readonly do: "next"
      readonly table: Table.AnyTable
      readonly key: PlainRow
      readonly column: string
    }
  | { readonly do: "transaction"; readonly steps: ReadonlyArray<Step>; readonly end: End }

/** The integer columns that are added to: their values are small, and they are in no unique constraint. */
const addableColumns: { readonly [table: string]: ReadonlyArray<string> } = {
  conformancePeople: ["balance"],
  conformanceFolders: ["counter"],
  conformanceNotes: ["weight", "score"]
}

const updateArbitrary = (table: Table.AnyTable): fc.Arbitrary<Step> => {
  const columns = Object.keys(table.columns).filter((column) => !table.key.includes(column))
  const values = Object.fromEntries(columns.map((column) => [column, valueArbitrary(table, column)]))
  const sums = addableColumns[table.name] ?? []
  const change = fc
    .tuple(
      fc.record(values, { requiredKeys: [] }),
      fc.subarray(columns),
      fc.option(fc.integer({ min: -3, max: 3 }))
    )
    .map(([all, some, by]): Change => {
      const set = Object.fromEntries(Object.entries(all).filter(([column]) => some.includes(column)))
      const added = by === null ? [] : sums.filter((column) => !(column in set)).map((column) => [column, by])
      return { set, add: Object.fromEntries(added) }
    })
  return fc.record({
    do: fc.constant("update" as const),
    table: fc.constant(table),
    where: whereArbitrary(table),
    change
  })
}

const nextArbitrary = fc
  .constantFrom([people, "balance"] as const, [folders, "counter"] as const, [notes, "weight"] as const)
  .chain(
    ([table, column]): fc.Arbitrary<Step> =>
      fc.record({
        do: fc.constant("next" as const),
        table: fc.constant<Table.AnyTable>(table),
        key: fc.record(Object.fromEntries(table.key.map((name) => [name, scalarArbitrary(table, name)]))),
        column: fc.constant(column)
      })
  )

const insertTableArbitrary = fc.oneof(
  { arbitrary: fc.constant<Table.AnyTable>(people), weight: 2 },
  { arbitrary: fc.constant<Table.AnyTable>(folders), weight: 2 },
  { arbitrary: fc.constant<Table.AnyTable>(notes), weight: 3 },
  { arbitrary: fc.constant<Table.AnyTable>(pins), weight: 1 }
)

const verbArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: insertTableArbitrary.chain(
      (table): fc.Arbitrary<Step> =>
        fc.record({
          do: fc.constantFrom("insert" as const, "insert" as const, "insertMissing" as const),
          table: fc.constant(table),
          rows: fc.array(rowArbitrary(table), { maxLength: 3 })
        })
    ),
    weight: 5
  },
  { arbitrary: tableArbitrary.chain(updateArbitrary), weight: 3 },
  { arbitrary: nextArbitrary, weight: 1 },
  {
    arbitrary: tableArbitrary.chain(
      (table): fc.Arbitrary<Step> =>
        fc.oneof(
          fc.record({
            do: fc.constant("find" as const),
            table: fc.constant(table),
            find: findArbitrary(table)
          }),
          fc.record({
            do: fc.constant("remove" as const),
            table: fc.constant(table),
            where: whereArbitrary(table)
          }),
          fc.record({
            do: fc.constant("count" as const),
            table: fc.constant(table),
            where: whereArbitrary(table)
          }),
          fc.record({
            do: fc.constant("countBy" as const),
            table: fc.constant(table),
            column: fc.constantFrom(...scalarColumns(table)),
            where: whereArbitrary(table)
          })
        )
    ),
    weight: 5
  }
)

const transactionArbitrary = (inner: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.constant("transaction" as const),
    steps: fc.array(inner, { maxLength: 4 }),
    end: fc.constantFrom<End>("succeed", "succeed", "succeed", "fail", "die", "interrupt", "killed")
  })

/** Generates sequences of steps, including nested transactions. */
export const stepsArbitrary: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    { arbitrary: verbArbitrary, weight: 3 },
    {
      arbitrary: transactionArbitrary(
        fc.oneof({ arbitrary: verbArbitrary, weight: 2 }, transactionArbitrary(verbArbitrary))
      ),
      weight: 2
    }
  ),
  { minLength: 1, maxLength: 14 }
)
