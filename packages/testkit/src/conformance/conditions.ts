/** Conditions and lists to ask for, generated with all that the port has. */

import { type Find, type Table, totalOrder, type Where } from "@lectern/core"
import * as fc from "fast-check"
import { inSelect } from "./examples.ts"
import { folders, modelledTables, notes, people, pins } from "./tables.ts"
import { scalar, scalarColumns } from "./values.ts"

/** Columns of two tables that hold the same kind of value. */
const related: { readonly [table: string]: ReadonlyArray<readonly [string, Table.AnyTable, string]> } = {
  conformancePeople: [
    ["id", people, "manager"],
    ["id", notes, "author"],
    ["manager", people, "id"],
    ["balance", notes, "rank"],
    ["active", notes, "done"]
  ],
  conformanceFolders: [
    ["parent", folders, "id"],
    ["id", folders, "parent"],
    ["id", notes, "folder"],
    ["name", notes, "title"]
  ],
  conformanceNotes: [
    ["folder", pins, "folder"],
    ["author", people, "manager"],
    ["rank", notes, "weight"],
    ["title", folders, "about"],
    ["done", people, "active"]
  ],
  conformancePins: [
    ["folder", folders, "parent"],
    ["person", people, "id"]
  ]
}

const ofColumn = (table: Table.AnyTable, column: string): fc.Arbitrary<Where.AnyWhere> => {
  const value = scalar(table, column)
  const comparison = fc.record({
    op: fc.constantFrom("eq" as const, "lt", "lte", "gt", "gte"),
    column: fc.constant(column),
    value
  }) as fc.Arbitrary<Where.AnyWhere>
  const isIn = fc
    .array(value, { maxLength: 3 })
    .map((values): Where.AnyWhere => ({ op: "in", column, values }))
  const isNull = fc.constant<Where.AnyWhere>({ op: "isNull", column })
  const scalars = fc.oneof({ arbitrary: comparison, weight: 3 }, isIn, isNull)
  if (table.columns[column]!.kind !== "text") return scalars
  const contains = (value as fc.Arbitrary<string>).map(
    (part): Where.AnyWhere => ({ op: "contains", column, value: part })
  )
  return fc.oneof({ arbitrary: scalars, weight: 3 }, contains)
}

/** A condition on the rows of a table, so many levels deep. */
export const where = (table: Table.AnyTable, depth = 2): fc.Arbitrary<Where.AnyWhere> => {
  const leaf = fc.constantFrom(...scalarColumns(table)).chain((column) => ofColumn(table, column))
  const all = fc.constant<Where.AnyWhere>({ op: "all" })
  if (depth === 0) return fc.oneof({ arbitrary: leaf, weight: 4 }, all)
  const inner = where(table, depth - 1)
  const group = fc.record({
    op: fc.constantFrom("and" as const, "or"),
    conditions: fc.array(inner, { maxLength: 3 })
  }) as fc.Arbitrary<Where.AnyWhere>
  const not = inner.map((condition): Where.AnyWhere => ({ op: "not", condition }))
  const selected = fc
    .constantFrom(...related[table.name]!)
    .chain(([column, other, select]) =>
      where(other, depth - 1).map((condition) => inSelect(column, other, select, condition))
    )
  return fc.oneof(
    { arbitrary: leaf, weight: 4 },
    { arbitrary: all, weight: 2 },
    { arbitrary: group, weight: 2 },
    { arbitrary: not, weight: 2 },
    { arbitrary: selected, weight: 2 }
  )
}

/** An order: columns that are never null. */
export const orderBy = (table: Table.AnyTable): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.shuffledSubarray(
    scalarColumns(table).filter((column) => !table.columns[column]!.nullable),
    { maxLength: 3 }
  )

/** A list to ask for. */
export const find = (table: Table.AnyTable): fc.Arbitrary<Find> =>
  orderBy(table).chain((order) =>
    fc.record(
      {
        where: where(table),
        orderBy: fc.constant(order),
        direction: fc.constantFrom("asc" as const, "desc"),
        after: fc.tuple(...totalOrder(table, order).map((column) => scalar(table, column))),
        limit: fc.nat(4),
        select: fc.subarray(Object.keys(table.columns), { minLength: 1 })
      },
      { requiredKeys: ["where", "orderBy", "direction"] }
    )
  )

/** One of the modelled tables. */
export const anyTable: fc.Arbitrary<Table.AnyTable> = fc.constantFrom(...modelledTables)
