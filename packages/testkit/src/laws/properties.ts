/** The laws of storage as properties, apart from any test runner: each rejects where a store breaks it. */
import { isDeepStrictEqual } from "node:util"
import { type PlainRow, positionOf, Records, RecordsAdapter, type Table, Where } from "@lectern/core"
import { Effect, Layer, ManagedRuntime } from "effect"
import * as fc from "fast-check"
import { MemoryStorage } from "../storage/MemoryStorage.ts"
import { operations } from "./operations.ts"
import { run } from "./run.ts"
import { files, folders, tables } from "./tables.ts"

/** A store to try the laws on. */
export type Store = Layer.Layer<RecordsAdapter, unknown>

/** Runs are multiplied by this environment variable, for who wants to search for longer. */
const effort = Number(process.env.LECTERN_TEST_RUNS ?? 1) || 1

const inStore = async (
  store: Store,
  body: (run: <A>(effect: Effect.Effect<A, unknown, Records | RecordsAdapter>) => Promise<A>) => Promise<void>
) => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(Records.layer, store))
  try {
    await body((effect) => runtime.runPromise(effect))
  } finally {
    await runtime.dispose()
  }
}

const clear = Effect.gen(function* () {
  const adapter = yield* RecordsAdapter
  for (const table of [files, folders]) yield* adapter.remove(table, Where.all)
})

const show = (value: unknown): string => JSON.stringify(value, undefined, 1)

/** Whatever is asked of it, alone or in transactions that end in any way, it answers as the store in memory does. */
export const agreesWithTheReference = (store: Store, runs = 150): Promise<void> =>
  inStore(store, (inIt) =>
    fc.assert(
      fc.asyncProperty(operations, async (list) => {
        const expected = await Effect.runPromise(Effect.provide(run(list), MemoryStorage.layer(tables)))
        const found = await inIt(run(list))
        for (const [index, outcome] of expected.entries()) {
          // Rows are compared as data: a driver may make them of another prototype.
          if (!isDeepStrictEqual(plain(found[index]), plain(outcome))) {
            throw new Error(
              `${show(list[index] ?? "what is stored")}\nanswers ${show(found[index])}\nand not ${show(outcome)}`
            )
          }
        }
      }),
      { numRuns: runs * effort }
    )
  )

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Error) return { ...value }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

/**
 * Going through a list by pages, while rows come and go between them, shows every row that was there throughout
 * exactly once, and in order.
 */
export const pagesNeitherSkipNorRepeat = (store: Store, runs = 40): Promise<void> =>
  inStore(store, (inIt) =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 25 }),
        fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom("asc" as const, "desc"),
        (start, changes, limit, direction) =>
          inIt(
            Effect.gen(function* () {
              yield* clear
              const records = yield* Records
              // Few names, so that most rows are told apart by their key alone.
              const row = (n: number) => ({ id: `f${n}`, parent: null, name: String(n % 3) })
              yield* records.insertMany(folders, start.map(row))
              const stayed = new Set(start)
              const seen: Array<string> = []
              const pending = [...changes]
              let after: ReadonlyArray<Where.Scalar> | undefined
              for (;;) {
                const page = yield* records.find(folders, {
                  orderBy: ["name"],
                  direction,
                  limit,
                  ...(after === undefined ? {} : { after })
                })
                seen.push(...page.map(({ id }) => id))
                const last = page[page.length - 1]
                if (last === undefined) break
                after = positionOf(folders, ["name"], last)
                const [n, comes] = pending.shift() ?? [0, true]
                const there = yield* records.get(folders, { id: `f${n}` })
                if (comes && there === undefined) yield* records.insert(folders, row(n))
                if (!comes) {
                  stayed.delete(n)
                  yield* records.remove(folders, Where.eq("id", `f${n}`))
                }
              }
              if (new Set(seen).size < seen.length) throw new Error(`Some row came twice: ${seen}`)
              const missing = [...stayed].filter((n) => !seen.includes(`f${n}`))
              if (missing.length > 0) throw new Error(`Rows that stayed were skipped: ${missing} in ${seen}`)
            })
          )
      ),
      { numRuns: runs * effort }
    )
  )

const account = (id: string, size: number): PlainRow => ({
  folder: "accounts",
  name: id,
  size,
  starred: false,
  kind: null,
  checked: null,
  rank: null,
  content: null,
  extra: null
})

/**
 * Transactions of many fibers at once, with the retries of `Records`, are as if one had run after the other: what is
 * moved between accounts is neither made nor lost, none is overdrawn, and numbers are dense.
 */
export const concurrentTransactionsAreSerial = (store: Store, runs = 8): Promise<void> =>
  inStore(store, (inIt) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.integer({ min: 1, max: 9 }), fc.boolean()), {
          minLength: 2,
          maxLength: 12
        }),
        (transfers) =>
          inIt(
            Effect.gen(function* () {
              yield* clear
              const records = yield* Records
              const key = (n: number) => ({ folder: "accounts", name: `a${n}` })
              const where = (n: number) =>
                Where.and<Table.Row<typeof files>>(Where.eq("folder", "accounts"), Where.eq("name", `a${n}`))
              yield* records.insert(folders, { id: "accounts", parent: null, name: "" })
              const adapter = yield* RecordsAdapter
              yield* adapter.insert(
                files,
                [0, 1, 2, 3].map((n) => account(`a${n}`, 20))
              )
              yield* adapter.insert(files, [account("counter", 0)])
              const numbers: Array<number | undefined> = []
              const transfer = ([from, to, amount, fails]: (typeof transfers)[number]) =>
                records
                  .transaction(
                    Effect.gen(function* () {
                      const source = yield* records.get(files, key(from))
                      if (source === undefined || source.size < amount) return undefined
                      yield* Effect.yieldNow
                      yield* records.update(files, where(from), {}, { size: -amount })
                      yield* records.update(files, where(to), {}, { size: amount })
                      const number = yield* records.next(
                        files,
                        { folder: "accounts", name: "counter" },
                        "size"
                      )
                      if (fails) return yield* Effect.fail("changed my mind" as const)
                      return number
                    })
                  )
                  .pipe(
                    Effect.tap((number) => Effect.sync(() => numbers.push(number))),
                    Effect.catchIf(
                      (error) => error === "changed my mind",
                      () => Effect.void
                    )
                  )
              yield* Effect.forEach(transfers, transfer, { concurrency: "unbounded", discard: true })
              const rows = yield* records.find(files, {})
              const accounts = rows.filter(({ name }) => name !== "counter").map(({ size }) => size)
              if (accounts.reduce((a, b) => a + b, 0) !== 80)
                throw new Error(`Money was made or lost: ${accounts}`)
              if (accounts.some((size) => size < 0)) throw new Error(`An account is overdrawn: ${accounts}`)
              const given = numbers.filter((number) => number !== undefined).sort((a, b) => a - b)
              if (!given.every((number, index) => number === index + 1))
                throw new Error(`Numbers are not dense: ${given}`)
            })
          )
      ),
      { numRuns: runs * effort }
    )
  )
