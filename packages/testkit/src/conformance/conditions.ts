/** Arbitraries of conditions and queries, which cover every feature of the port. */
import { type Find, type Table, totalOrder, type Where } from "@lectern/core"
import * as fc from "fast-check"
import { inSelect } from "./examples.ts"
import { folders, modelledTables, notes, people, pins } from "./tables.ts"
import { scalarArbitrary, scalarColumns } from "./values.ts"

/** For `inSelect`: pairs of columns of the same kind, as column, other table, and column of the other table. */
const comparableColumns: {
  readonly [table: string]: ReadonlyArray<readonly [string, Table.AnyTable, string]>
} = {
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

const columnConditionArbitrary = (table: Table.AnyTable, column: string): fc.Arbitrary<Where.AnyWhere> => {
  const value = scalarArbitrary(table, column)
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

/** Generates conditions on a table, nested up to `depth` levels. */
export const whereArbitrary = (table: Table.AnyTable, depth = 2): fc.Arbitrary<Where.AnyWhere> => {
  const leaf = fc
    .constantFrom(...scalarColumns(table))
    .chain((column) => columnConditionArbitrary(table, column))
  const all = fc.constant<Where.AnyWhere>({ op: "all" })
  if (depth === 0) return fc.oneof({ arbitrary: leaf, weight: 4 }, all)
  const inner = whereArbitrary(table, depth - 1)
  const group = fc.record({
    op: fc.constantFrom("and" as const, "or"),
    conditions: fc.array(inner, { maxLength: 3 })
  }) as fc.Arbitrary<Where.AnyWhere>
  const not = inner.map((condition): Where.AnyWhere => ({ op: "not", condition }))
  const selected = fc
    .constantFrom(...comparableColumns[table.name]!)
    .chain(([column, other, select]) =>
      whereArbitrary(other, depth - 1).map((condition) => inSelect(column, other, select, condition))
    )
  return fc.oneof(
    { arbitrary: leaf, weight: 4 },
    { arbitrary: all, weight: 2 },
    { arbitrary: group, weight: 2 },
    { arbitrary: not, weight: 2 },
    { arbitrary: selected, weight: 2 }
  )
}

/** Generates orders: up to three columns that are not nullable. */
export const orderByArbitrary = (table: Table.AnyTable): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.shuffledSubarray(
    scalarColumns(table).filter((column) => !table.columns[column]!.nullable),
    { maxLength: 3 }
  )

/** Generates the options of `find`. */
export const findArbitrary = (table: Table.AnyTable): fc.Arbitrary<Find> =>
  orderByArbitrary(table).chain((order) =>
    fc.record(
      {
        where: whereArbitrary(table),
        orderBy: fc.constant(order),
        direction: fc.constantFrom("asc" as const, "desc"),
        after: fc.tuple(...totalOrder(table, order).map((column) => scalarArbitrary(table, column))),
        limit: fc.nat(4),
        select: fc.subarray(Object.keys(table.columns), { minLength: 1 })
      },
      { requiredKeys: ["where", "orderBy", "direction"] }
    )
  )

/** Generates one of the modelled tables. */
export const tableArbitrary: fc.Arbitrary<Table.AnyTable> = fc.constantFrom(...modelledTables)
