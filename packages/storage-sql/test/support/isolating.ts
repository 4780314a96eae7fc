/** What holds of fibers that use one store at once, in every dialect. */
import { RecordsAdapter, type StorageConflict } from "@lectern/core"
import { Deferred, Effect, Exit, Fiber, type Layer, Ref } from "effect"
import { expect, it } from "vitest"
import { folders } from "./tables.ts"

const all = { where: { op: "all" }, orderBy: [], direction: "asc" } as const
const folder = (id: string, name = "") => ({ id, parent: null, name })
const byId = (value: string) => ({ op: "eq", column: "id", value }) as const

const again = <A, E>(effect: Effect.Effect<A, E | StorageConflict, RecordsAdapter>) =>
  Effect.retry(effect, {
    times: 50,
    while: (error) =>
      typeof error === "object" && error !== null && "_tag" in error && error._tag === "StorageConflict"
  })

/** `fresh` gives a new store, with the tables of `tables.ts` and no rows. */
export const isolationTests = (
  fresh: () => Promise<Layer.Layer<RecordsAdapter, unknown>>,
  options: { readonly readersWait: boolean }
): void => {
  const test = (name: string, effect: Effect.Effect<void, unknown, RecordsAdapter>) =>
    it(name, async () => Effect.runPromise(Effect.provide(effect, await fresh())))

  test(
    "whoever reads outside of an open transaction sees nothing of it",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const written = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(
        store.transaction(
          Effect.gen(function* () {
            yield* store.insert(folders, [folder("1")])
            yield* Deferred.succeed(written, undefined)
            expect(yield* store.count(folders, all.where)).toBe(1)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(written)
      if (options.readersWait) {
        const reader = yield* Effect.forkChild(store.count(folders, all.where))
        yield* Effect.sleep("20 millis")
        expect(reader.pollUnsafe()).toBe(undefined)
        yield* Deferred.succeed(goOn, undefined)
        expect(yield* Fiber.join(reader)).toBe(1)
      } else {
        expect(yield* store.find(folders, all)).toEqual([])
        expect(yield* store.count(folders, all.where)).toBe(0)
        yield* Deferred.succeed(goOn, undefined)
      }
      yield* Fiber.join(writer)
      expect(yield* store.count(folders, all.where)).toBe(1)
    })
  )

  test(
    "a transaction that is interrupted, fails or dies leaves nothing, and the store goes on",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const insert = store.insert(folders, [folder("1")])
      for (const end of [Effect.interrupt, Effect.fail("no"), Effect.die("no")]) {
        const exit = yield* Effect.exit(store.transaction(Effect.andThen(insert, end)))
        expect(Exit.isFailure(exit)).toBe(true)
      }
      const fiber = yield* Effect.forkChild(store.transaction(Effect.andThen(insert, Effect.never)))
      yield* Effect.sleep("20 millis")
      yield* Fiber.interrupt(fiber)
      expect(yield* store.count(folders, all.where)).toBe(0)
      yield* insert
    })
  )

  test(
    "of many who update what the update makes false, one finds it",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      yield* store.insert(folders, [folder("1", "free")])
      const isFree = { op: "eq", column: "name", value: "free" } as const
      const claim = again(store.update(folders, isFree, { set: { name: "taken" }, add: {} }))
      const found = yield* Effect.all(
        Array.from({ length: 20 }, () => claim),
        { concurrency: "unbounded" }
      )
      expect(found.reduce((a, b) => a + b)).toBe(1)
    })
  )

  test(
    "transactions could have run one after the other, also where each reads what the other writes",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      yield* store.insert(folders, [folder("1", "on"), folder("2", "on")])
      const on = { op: "eq", column: "name", value: "on" } as const
      const tries = yield* Ref.make(0)
      const leave = (id: string) =>
        again(
          store.transaction(
            Effect.gen(function* () {
              yield* Ref.update(tries, (n) => n + 1)
              if ((yield* store.count(folders, on)) < 2) return
              yield* Effect.sleep("20 millis")
              yield* store.update(folders, byId(id), { set: { name: "off" }, add: {} })
            })
          )
        )
      yield* Effect.all([leave("1"), leave("2")], { concurrency: "unbounded" })
      expect(yield* store.count(folders, on)).toBe(1)
      expect(yield* Ref.get(tries)).toBeLessThanOrEqual(10)
    })
  )
}
