/** Negative tests of the conformance suite: it must fail for each of these broken stores. */
import { type PlainRow, RecordsAdapter, type Where, type WriteError } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { conformanceTables, conformanceTests, openStore } from "@lectern/testkit/conformance"
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"

type Adapter = RecordsAdapter["Service"]

/** Returns the names of the conformance tests of a topic that fail for a broken store. */
const failedTests = async (
  topic: keyof typeof conformanceTests,
  breakIt: (adapter: Adapter) => Partial<Adapter>
) => {
  const layer = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => RecordsAdapter.of({ ...adapter, ...breakIt(adapter) }))
  ).pipe(Layer.provide(MemoryStorage.layer(conformanceTables)))
  const store = openStore(layer)
  try {
    const names: Array<string> = []
    for (const test of conformanceTests[topic]) {
      await test.check(store.run).catch(() => names.push(test.name))
    }
    return names
  } finally {
    await store.close()
  }
}

const expectFailure = (
  topics: ReadonlyArray<keyof typeof conformanceTests>,
  defect: string,
  breakIt: (adapter: Adapter) => Partial<Adapter>
) =>
  describe(defect, () => {
    for (const topic of topics) {
      // A run finds each of these defects with a probability of more than 95 %, so three runs do not all miss it.
      it(`fails the tests of ${topic}`, { retry: 2 }, async () => {
        expect(await failedTests(topic, breakIt)).not.toEqual([])
      })
    }
  })

/** Marks fibers that are in a transaction. */
class Nested extends Context.Service<Nested, true>()("canaries/Nested") {}

expectFailure(["chunks of files"], "a store that truncates bytes over 64 KiB", ({ insert }) => ({
  insert: (table, rows) =>
    insert(
      table,
      rows.map(
        (row): PlainRow =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              value instanceof Uint8Array ? value.subarray(0, 65_536) : value
            ])
          )
      )
    )
}))

expectFailure(
  ["transactions", "random steps", "concurrency", "serializability"],
  "a store without transactions",
  () => ({ transaction: (self) => self })
)

expectFailure(
  ["transactions", "random steps"],
  "a store that does not roll back nested transactions",
  ({ transaction }) => ({
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.withFiber((fiber) =>
        Context.getOrUndefined(fiber.context, Nested) === true
          ? self
          : transaction(Effect.provideService(self, Nested, true))
      ) as Effect.Effect<A, E, R>
  })
)

expectFailure(
  ["transactions", "random steps"],
  "a store that does not use the rows that it finds before the end",
  () => ({ findBeforeEnd: () => Effect.succeed(true) })
)

expectFailure(
  ["transactions", "random steps"],
  "a store that uses the rows that it finds before the end in the opposite order, or outside of transactions",
  ({ find }) => ({
    findBeforeEnd: (table, options, use) =>
      Effect.as(
        Effect.flatMap(find(table, options), (rows) => Effect.ignore(use(rows.toReversed()))),
        true
      )
  })
)

expectFailure(
  ["transactions"],
  "a store that finds rows after the commit instead of before the end",
  ({ find, transaction }) => {
    const found: Array<Effect.Effect<void, WriteError>> = []
    return {
      findBeforeEnd: (table, options, use) =>
        Effect.withFiber((fiber) => {
          if (Context.getOrUndefined(fiber.context, Nested) !== true) return Effect.succeed(false)
          found.push(Effect.flatMap(find(table, options), use))
          return Effect.succeed(true)
        }),
      transaction: (self) =>
        Effect.tap(transaction(Effect.provideService(self, Nested, true)), () =>
          Effect.forEach(found.splice(0), (one) => Effect.ignore(one), { discard: true })
        )
    }
  }
)

expectFailure(
  ["pagination", "reading", "random steps"],
  "a store that repeats a row at the edge of pages",
  ({ find }) => ({
    find: (table, options) => {
      const { after, ...rest } = options
      if (after === undefined) return find(table, options)
      return Effect.map(Effect.all([find(table, rest), find(table, options)]), ([whole, page]) => {
        const edge = whole[whole.length - page.length - 1]
        return (edge === undefined ? page : [edge, ...page]).slice(0, options.limit)
      })
    }
  })
)

expectFailure(["pagination"], "a store that skips a row at the edge of pages", ({ find }) => ({
  find: (table, options) =>
    Effect.map(find(table, options), (page) => (options.after === undefined ? page : page.slice(1)))
}))

expectFailure(["pagination"], "a store that paginates by offset", ({ find }) => {
  let offset = 0
  return {
    find: (table, { after, limit, ...options }) =>
      Effect.map(find(table, options), (rows) => {
        offset = after === undefined ? 0 : offset + (limit ?? 0)
        return rows.slice(offset, limit === undefined ? undefined : offset + limit)
      })
  }
})

expectFailure(["reading", "random steps"], "a store that orders text by UTF-16 units", ({ find }) => ({
  find: (table, options) =>
    Effect.map(find(table, options), (rows) => {
      const [column] = options.orderBy
      if (column === undefined || table.columns[column]?.kind !== "text" || options.limit !== undefined)
        return rows
      const sign = options.direction === "asc" ? 1 : -1
      const textOf = (row: PlainRow) => String(row[column])
      return rows.toSorted((a, b) => (textOf(a) < textOf(b) ? -sign : textOf(a) > textOf(b) ? sign : 0))
    })
}))

expectFailure(
  ["conditions", "random steps"],
  "a store whose negated conditions exclude nulls",
  ({ find }) => ({
    find: (table, options) => {
      const { where } = options
      if (where.op !== "not" || !("column" in where.condition) || where.condition.op === "isNull")
        return find(table, options)
      const isThere = { op: "not", condition: { op: "isNull", column: where.condition.column } } as const
      return find(table, { ...options, where: { op: "and", conditions: [where, isThere] } })
    }
  })
)

expectFailure(["concurrency"], "a store that increments in two steps", ({ find, update, next }) => ({
  next: (table, where, column) =>
    Effect.gen(function* () {
      const [row] = yield* find(table, { where, orderBy: [], direction: "asc" })
      if (row === undefined) return yield* next(table, where, column)
      yield* Effect.yieldNow
      const number = (row[column] as number) + 1
      yield* update(table, where, { set: { [column]: number }, add: {} })
      return number
    })
}))

expectFailure(["updating"], "a store that increments a row by its key alone", ({ next }) => ({
  next: (table, where, column) => {
    const conditions = where.op === "and" ? where.conditions : [where]
    const isOfKey = (condition: Where.AnyWhere) =>
      condition.op === "eq" && table.key.includes(condition.column)
    return next(table, { op: "and", conditions: conditions.filter(isOfKey) }, column)
  }
}))

expectFailure(["concurrency"], "a store that reads before it updates", ({ find, update }) => ({
  update: (table, where, change) =>
    Effect.gen(function* () {
      const rows = yield* find(table, { where, orderBy: [], direction: "asc" })
      yield* Effect.yieldNow
      for (const row of rows) {
        const conditions = table.key.map((column) => ({ op: "eq", column, value: row[column] }) as const)
        yield* update(table, { op: "and", conditions } as never, change)
      }
      return rows.length
    })
}))

expectFailure(
  ["inserting", "random steps"],
  "a store that inserts the rows before a rejected one",
  ({ insert }) => ({
    insert: (table, rows) => Effect.forEach(rows, (row) => insert(table, [row]), { discard: true })
  })
)

expectFailure(["transactions", "concurrency"], "a store whose snapshots are all equal", () => ({
  snapshot: Effect.succeed("one")
}))

expectFailure(["searching"], "a store that searches for the first term only", ({ search }) => ({
  search: (table, asked) => search(table, { ...asked, terms: asked.terms.slice(0, 1) })
}))

expectFailure(["searching"], "a store that searches all scopes", ({ search }) => ({
  search: (table, asked) => search(table, { ...asked, scopes: ["1", "2", "3", "4"] })
}))

expectFailure(["searching"], "a store whose searches read the rows of all scopes", ({ find, search }) => ({
  search: (table, asked) =>
    Effect.flatMap(find(table, { where: { op: "all" }, orderBy: table.key, direction: "asc" }), () =>
      search(table, asked)
    )
}))

expectFailure(["searching"], "a store that counts the returned hits only", ({ search }) => ({
  search: (table, asked) => Effect.map(search(table, asked), ({ hits }) => ({ count: hits.length, hits }))
}))

expectFailure(["creating tables"], "a store that does not create tables", () => ({
  createTables: () => Effect.void
}))

expectFailure(
  ["creating tables"],
  "a store that accepts a table that differs from its declaration",
  ({ createTables }) => ({
    createTables: (tables) => Effect.catchTag(createTables(tables), "TableMismatch", () => Effect.void)
  })
)

expectFailure(["locked transactions"], "a store whose locked transactions overlap", () => ({
  lockedTransaction: (_, self) => self(new Set(["room:north", "room:south", "permit:ada"]))
}))
