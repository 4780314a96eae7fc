/** The cache of presented content: concurrent lookups, interruptions, failures and transactions. */

import { makeRenderCache } from "@lectern/content"
import { Records } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { expect, it } from "vitest"

const withCache = <A, E>(
  use: (cache: ReturnType<typeof makeRenderCache>, records: Records["Service"]) => Effect.Effect<A, E>,
  maximumBytes = 1_000
): Promise<A> =>
  Effect.runPromise(
    Effect.flatMap(Records, (records) => use(makeRenderCache(records, maximumBytes), records)).pipe(
      Effect.provide(Records.layer.pipe(Layer.provide(MemoryStorage.layer())))
    )
  )

const size = () => 10

it("computes a value once for concurrent lookups", () =>
  withCache((cache) =>
    Effect.gen(function* () {
      let count = 0
      const compute = Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => ({ count: ++count }))
      )
      const values = yield* Effect.all(
        Array.from({ length: 20 }, () => cache.get(["key"], compute, size)),
        { concurrency: "unbounded" }
      )
      expect(new Set(values).size).toBe(1)
      expect(count).toBe(1)
      expect(Object.isFrozen(values[0])).toBe(true)
    })
  ))

it("computes a value again if the fiber that computes it is interrupted", () =>
  withCache((cache) =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(
        cache.get(["key"], Effect.andThen(Deferred.succeed(started, undefined), Effect.never), size)
      )
      yield* Deferred.await(started)
      const second = yield* Effect.forkChild(cache.get(["key"], Effect.succeed({ isSecond: true }), size))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      expect(yield* Fiber.join(second)).toStrictEqual({ isSecond: true })
    })
  ))

it("does not cache a failure, nor a value without a size", () =>
  withCache((cache) =>
    Effect.gen(function* () {
      expect(Exit.isFailure(yield* Effect.exit(cache.get(["key"], Effect.fail("once"), size)))).toBe(true)
      yield* cache.get(["key"], Effect.succeed({ value: 1 }), () => undefined)
      expect(cache.peek(["key"])).toBeUndefined()
      expect(yield* cache.get(["key"], Effect.succeed({ value: 2 }), size)).toStrictEqual({ value: 2 })
      expect(yield* cache.get(["key"], Effect.succeed({ value: 3 }), size)).toStrictEqual({ value: 2 })
    })
  ))

it("does not wait for another fiber in a transaction", () =>
  withCache((cache, records) =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(
        cache.get(
          ["key"],
          Effect.andThen(
            Deferred.succeed(started, undefined),
            Effect.as(Deferred.await(release), { isOther: true })
          ),
          size
        )
      )
      yield* Deferred.await(started)
      const own = yield* records.transaction(cache.get(["key"], Effect.succeed({ isOther: false }), size))
      expect(own).toStrictEqual({ isOther: false })
      yield* Deferred.succeed(release, undefined)
      expect(yield* Fiber.join(other)).toStrictEqual({ isOther: true })
    })
  ))

it("evicts values when they have more than the maximum number of bytes together", () =>
  withCache(
    (cache) =>
      Effect.gen(function* () {
        for (let i = 0; i < 50; i++) yield* cache.get([i], Effect.succeed({ i }), () => 100)
        const cached = Array.from({ length: 50 }, (_, i) => cache.peek([i])).filter(
          (value) => value !== undefined
        )
        expect(cached.length).toBeGreaterThan(0)
        expect(cached.length).toBeLessThanOrEqual(10)
        expect(cache.peek([49])).toStrictEqual({ i: 49 })
      }),
    1_000
  ))

it("caches a value with more than the maximum number of bytes, and evicts all others", () =>
  withCache((cache) =>
    Effect.gen(function* () {
      yield* cache.get(["small"], Effect.succeed({ isLarge: false }), size)
      yield* cache.get(["large"], Effect.succeed({ isLarge: true }), () => 5_000)
      expect(cache.peek(["large"])).toStrictEqual({ isLarge: true })
      expect(cache.peek(["small"])).toBeUndefined()
    })
  ))
