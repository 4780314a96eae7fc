/** Arbitraries of steps on a store: verbs and nested transactions. */
import type { Change, Find, PlainRow, Table, Where } from "@lectern/core"
import * as fc from "fast-check"
import { anyTable, find, where } from "./conditions.ts"
import { folders, notes, people, pins } from "./tables.ts"
import { row, scalar, scalarColumns, value } from "./values.ts"

/** How a transaction ends. `killed` is interrupted from outside, the others end by themselves. */
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

/** The integer columns that are small and in no unique set: those that are added to. */
const summed: { readonly [table: string]: ReadonlyArray<string> } = {
  conformancePeople: ["balance"],
  conformanceFolders: ["counter"],
  conformanceNotes: ["weight", "score"]
}

const update = (table: Table.AnyTable): fc.Arbitrary<Step> => {
  const columns = Object.keys(table.columns).filter((column) => !table.key.includes(column))
  const values = Object.fromEntries(columns.map((column) => [column, value(table, column)]))
  const sums = summed[table.name] ?? []
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
    where: where(table),
    change
  })
}

const next = fc
  .constantFrom([people, "balance"] as const, [folders, "counter"] as const, [notes, "weight"] as const)
  .chain(
    ([table, column]): fc.Arbitrary<Step> =>
      fc.record({
        do: fc.constant("next" as const),
        table: fc.constant<Table.AnyTable>(table),
        key: fc.record(Object.fromEntries(table.key.map((name) => [name, scalar(table, name)]))),
        column: fc.constant(column)
      })
  )

const inserted = fc.oneof(
  { arbitrary: fc.constant<Table.AnyTable>(people), weight: 2 },
  { arbitrary: fc.constant<Table.AnyTable>(folders), weight: 2 },
  { arbitrary: fc.constant<Table.AnyTable>(notes), weight: 3 },
  { arbitrary: fc.constant<Table.AnyTable>(pins), weight: 1 }
)

const verb: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: inserted.chain(
      (table): fc.Arbitrary<Step> =>
        fc.record({
          do: fc.constantFrom("insert" as const, "insert" as const, "insertMissing" as const),
          table: fc.constant(table),
          rows: fc.array(row(table), { maxLength: 3 })
        })
    ),
    weight: 5
  },
  { arbitrary: anyTable.chain(update), weight: 3 },
  { arbitrary: next, weight: 1 },
  {
    arbitrary: anyTable.chain(
      (table): fc.Arbitrary<Step> =>
        fc.oneof(
          fc.record({ do: fc.constant("find" as const), table: fc.constant(table), find: find(table) }),
          fc.record({ do: fc.constant("remove" as const), table: fc.constant(table), where: where(table) }),
          fc.record({ do: fc.constant("count" as const), table: fc.constant(table), where: where(table) }),
          fc.record({
            do: fc.constant("countBy" as const),
            table: fc.constant(table),
            column: fc.constantFrom(...scalarColumns(table)),
            where: where(table)
          })
        )
    ),
    weight: 5
  }
)

const transaction = (inner: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.constant("transaction" as const),
    steps: fc.array(inner, { maxLength: 4 }),
    end: fc.constantFrom<End>("succeed", "succeed", "succeed", "fail", "die", "interrupt", "killed")
  })

/** A sequence of steps, including nested transactions. */
export const randomSteps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    { arbitrary: verb, weight: 3 },
    { arbitrary: transaction(fc.oneof({ arbitrary: verb, weight: 2 }, transaction(verb))), weight: 2 }
  ),
  { minLength: 1, maxLength: 14 }
)
