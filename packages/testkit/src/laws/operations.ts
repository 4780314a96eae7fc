/** Operations on a store at random: every verb, every condition, transactions in transactions, and how they end. */
import type { Change, Find, PlainRow, Table, Where } from "@lectern/core"
import * as fc from "fast-check"
import { files, folders } from "./tables.ts"

/** What is asked of a store: a verb with its arguments, or a transaction of several. */
export type Operation =
  | { readonly op: "find"; readonly table: Table.AnyTable; readonly find: Find }
  | { readonly op: "count"; readonly table: Table.AnyTable; readonly where: Where.AnyWhere }
  | {
      readonly op: "countBy"
      readonly table: Table.AnyTable
      readonly column: string
      readonly where: Where.AnyWhere
    }
  | { readonly op: "insert"; readonly table: Table.AnyTable; readonly rows: ReadonlyArray<PlainRow> }
  | {
      readonly op: "update"
      readonly table: Table.AnyTable
      readonly where: Where.AnyWhere
      readonly change: Change
    }
  | { readonly op: "remove"; readonly table: Table.AnyTable; readonly where: Where.AnyWhere }
  | { readonly op: "next"; readonly key: PlainRow }
  | {
      readonly op: "transaction"
      readonly operations: ReadonlyArray<Operation>
      readonly end: "succeed" | "fail" | "die" | "interrupt"
    }

/** Among them characters that UTF-16 units would put into another order, and those that SQL reads in its own way. */
const text = fc.constantFrom(
  "",
  "a",
  "b",
  "ab",
  "A",
  "é",
  "\u{1F600}",
  "\uFFFD",
  "'",
  '"',
  "%",
  "_",
  "\\",
  "\n",
  "a b"
)
const small = fc.constantFrom(0, 1, 2, -1)
const integer = fc.constantFrom(
  0,
  1,
  2,
  -1,
  2 ** 31,
  -(2 ** 31) - 1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER
)
const id = fc.constantFrom("1", "2", "3", "4", "\u{1F600}", "\uFFFD")
const json = fc
  .oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, "\u0000", "\ud800", "'", []))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

const valueOf = (column: string, { kind }: Table.Column<unknown>) => {
  if (column === "id" || column === "parent" || column === "folder") return id
  if (column === "size") return small
  return { text, integer, boolean: fc.boolean(), json }[kind]
}

const columnValue = (column: string, declaration: Table.Column<unknown>): fc.Arbitrary<unknown> =>
  declaration.nullable ? fc.option(valueOf(column, declaration)) : valueOf(column, declaration)

const row = (table: Table.AnyTable): fc.Arbitrary<PlainRow> =>
  fc.record(
    Object.fromEntries(Object.entries(table.columns).map(([name, c]) => [name, columnValue(name, c)]))
  )

const scalarColumns = (table: Table.AnyTable) =>
  Object.entries(table.columns).filter(([, { kind }]) => kind !== "json")

const where = (table: Table.AnyTable, depth = 2): fc.Arbitrary<Where.AnyWhere> => {
  const comparison = fc.constantFrom(...scalarColumns(table)).chain(([column, declaration]) => {
    const value = valueOf(column, declaration) as fc.Arbitrary<Where.Scalar>
    const plain = fc.oneof(
      fc.record({
        op: fc.constantFrom("eq" as const, "lt", "lte", "gt", "gte"),
        column: fc.constant(column),
        value
      }),
      fc.record({ op: fc.constant("in" as const), column: fc.constant(column), values: fc.array(value) }),
      fc.record({ op: fc.constant("isNull" as const), column: fc.constant(column) })
    ) as fc.Arbitrary<Where.AnyWhere>
    if (declaration.kind !== "text") return plain
    const contains = text.map((part): Where.AnyWhere => ({ op: "contains", column, value: part }))
    return fc.oneof({ arbitrary: plain, weight: 3 }, contains)
  })
  const all = fc.constant<Where.AnyWhere>({ op: "all" })
  if (depth === 0) return fc.oneof(all, comparison)
  const inner = where(table, depth - 1)
  const group = fc.record({
    op: fc.constantFrom("and" as const, "or"),
    conditions: fc.array(inner, { maxLength: 3 })
  })
  const not = inner.map((condition): Where.AnyWhere => ({ op: "not", condition }))
  const [other, column, select] =
    table === folders ? ([files, "id", "folder"] as const) : ([folders, "folder", "parent"] as const)
  const inSelect = where(other, 0).map(
    (condition): Where.AnyWhere => ({ op: "inSelect", column, table: other, select, where: condition })
  )
  return fc.oneof(
    { arbitrary: comparison, weight: 4 },
    { arbitrary: all, weight: 1 },
    { arbitrary: group as fc.Arbitrary<Where.AnyWhere>, weight: 2 },
    { arbitrary: not, weight: 2 },
    { arbitrary: inSelect, weight: 1 }
  )
}

const find = (table: Table.AnyTable): fc.Arbitrary<Find> => {
  const orderable = scalarColumns(table).filter(([, { nullable }]) => !nullable)
  return fc.subarray(orderable.map(([name]) => name)).chain((orderBy) => {
    const order = [...orderBy, ...table.key.filter((column) => !orderBy.includes(column))]
    const position = fc.tuple(
      ...order.map((name) => valueOf(name, table.columns[name]!) as fc.Arbitrary<Where.Scalar>)
    )
    return fc.record(
      {
        where: where(table),
        orderBy: fc.constant(orderBy),
        direction: fc.constantFrom("asc" as const, "desc"),
        after: position,
        limit: fc.nat(4)
      },
      { requiredKeys: ["where", "orderBy", "direction"] }
    )
  })
}

const update = (table: Table.AnyTable): fc.Arbitrary<Operation> => {
  const columns = Object.entries(table.columns).filter(([name]) => !table.key.includes(name))
  const set = fc.record(Object.fromEntries(columns.map(([name, c]) => [name, columnValue(name, c)])), {
    requiredKeys: []
  })
  return fc.record({
    op: fc.constant("update" as const),
    table: fc.constant(table),
    where: where(table),
    change: fc
      .tuple(set, small)
      .map(([set, by]) => ({ set, add: "size" in set || table !== files ? {} : { size: by } }))
  })
}

const verb = fc.constantFrom<Table.AnyTable>(folders, files).chain((table): fc.Arbitrary<Operation> => {
  const its = { table: fc.constant(table), where: where(table) }
  return fc.oneof(
    fc.record({ op: fc.constant("find" as const), table: its.table, find: find(table) }),
    fc.record({ op: fc.constant("count" as const), ...its }),
    fc.record({
      op: fc.constant("countBy" as const),
      ...its,
      column: fc.constantFrom(...scalarColumns(table).map(([name]) => name))
    }),
    {
      arbitrary: fc.record({
        op: fc.constant("insert" as const),
        table: its.table,
        rows: fc.array(row(table), { maxLength: 4 })
      }),
      weight: 5
    },
    update(table),
    fc.record({ op: fc.constant("remove" as const), ...its }),
    fc.record({ op: fc.constant("next" as const), key: fc.record({ folder: id, name: text }) })
  )
})

const transaction = (inner: fc.Arbitrary<Operation>): fc.Arbitrary<Operation> =>
  fc.record({
    op: fc.constant("transaction" as const),
    operations: fc.array(inner, { maxLength: 4 }),
    end: fc.constantFrom("succeed" as const, "succeed", "fail", "die", "interrupt")
  })

/** A sequence of operations. */
export const operations: fc.Arbitrary<ReadonlyArray<Operation>> = fc.array(
  fc.oneof({ arbitrary: verb, weight: 3 }, transaction(fc.oneof(verb, transaction(verb)))),
  { minLength: 1, maxLength: 15 }
)
