/** `transaction`: one fixed case per requirement. */
import { RecordsAdapter } from "@lectern/core"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, example } from "./ConformanceTest.ts"
import {
  add,
  all,
  count,
  eq,
  insert,
  insertMissing,
  list,
  next,
  remove,
  set,
  transaction
} from "./examples.ts"
import { folders, people } from "./tables.ts"
import { folder, person } from "./values.ts"

/** Some of each verb, after which nothing is as it was. */
const changes = Effect.gen(function* () {
  yield* insert(people, person("2"))
  yield* set(people, eq("id", "1"), { name: "changed" })
  yield* add(people, all, { balance: 1 })
  yield* remove(folders, all)
  yield* next(people, { id: "1" }, "balance")
})

const start = Effect.gen(function* () {
  yield* insert(people, person("1"))
  yield* insert(folders, folder("1"), folder("2", { parent: "1" }))
})

const isAsAtStart = Effect.gen(function* () {
  const store = yield* RecordsAdapter
  const rows = yield* store.find(people, { where: all, orderBy: [], direction: "asc" })
  expect(rows.map((row) => ({ ...row }))).toEqual([person("1")])
  expect(yield* list(folders, "id")).toEqual(["1", "2"])
})

const leavesNothing = (name: string, end: Effect.Effect<unknown, string>): ConformanceTest =>
  example(
    name,
    Effect.gen(function* () {
      yield* start
      const exit = yield* Effect.exit(transaction(Effect.andThen(changes, end)))
      expect(Exit.isFailure(exit)).toBe(true)
      yield* isAsAtStart
    })
  )

const innerLeavesNothing = (name: string, end: Effect.Effect<unknown, string>): ConformanceTest =>
  example(
    name,
    Effect.gen(function* () {
      yield* start
      yield* transaction(
        Effect.gen(function* () {
          yield* insert(people, person("before"))
          const exit = yield* Effect.exit(transaction(Effect.andThen(changes, end)))
          expect(Exit.isFailure(exit)).toBe(true)
          expect(yield* list(people, "id")).toEqual(["1", "before"])
          yield* insert(people, person("then"))
        })
      )
      expect(yield* list(people, "id")).toEqual(["1", "before", "then"])
      expect(yield* list(people, "name")).toEqual(["", "", ""])
      expect(yield* count(folders)).toBe(2)
    })
  )

/** What a transaction is. */
export const transactionTests: ReadonlyArray<ConformanceTest> = [
  example(
    "after whatever is committed the snapshot has a name that it never had",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const committed: ReadonlyArray<Effect.Effect<unknown, unknown, RecordsAdapter>> = [
        start,
        insertMissing(people, person("3")),
        set(people, eq("id", "1"), { name: "changed" }),
        add(people, all, { balance: 1 }),
        add(people, all, { balance: -1 }),
        next(people, { id: "1" }, "balance"),
        remove(folders, all),
        transaction(insert(people, person("2"))),
        remove(people, all)
      ]
      const names = [yield* store.snapshot]
      for (const change of committed) {
        yield* change
        names.push(yield* store.snapshot)
      }
      expect(new Set(names).size).toBe(names.length)
    })
  ),
  example(
    "what succeeds is stored, and its value is the answer",
    Effect.gen(function* () {
      yield* start
      expect(yield* transaction(Effect.as(changes, "value"))).toBe("value")
      expect(yield* list(people, "name")).toEqual(["changed", ""])
      expect(yield* list(people, "balance")).toEqual([2, 1])
      expect(yield* count(folders)).toBe(0)
    })
  ),
  example(
    "within it, reading sees what it wrote",
    transaction(
      Effect.gen(function* () {
        yield* start
        yield* changes
        expect(yield* list(people, "id")).toEqual(["1", "2"])
        expect(yield* count(people, eq("name", "changed"))).toBe(1)
        expect(yield* count(folders)).toBe(0)
      })
    )
  ),
  leavesNothing("what fails leaves nothing, and fails so", Effect.fail("no")),
  leavesNothing("what dies leaves nothing", Effect.die("no")),
  leavesNothing("what interrupts itself leaves nothing", Effect.interrupt),
  example(
    "a failure, a defect and a failed verb go through a transaction as they are",
    Effect.gen(function* () {
      yield* start
      expect(yield* Effect.flip(transaction(Effect.fail("no")))).toBe("no")
      const died = yield* Effect.exit(transaction(Effect.die("died")))
      expect(died).toEqual(Exit.die("died"))
      const refused = yield* Effect.flip(transaction(insert(people, person("1"))))
      expect({ ...refused }).toMatchObject({ _tag: "UniqueViolation", table: people.name })
    })
  ),
  example(
    "what is interrupted from outside leaves nothing, and the store goes on",
    Effect.gen(function* () {
      yield* start
      const isWritten = yield* Deferred.make<void>()
      const body = changes.pipe(
        Effect.andThen(Deferred.succeed(isWritten, undefined)),
        Effect.andThen(Effect.never)
      )
      const fiber = yield* Effect.forkChild(transaction(body))
      yield* Deferred.await(isWritten)
      yield* Fiber.interrupt(fiber)
      yield* isAsAtStart
      yield* transaction(insert(people, person("3")))
      expect(yield* count(people)).toBe(2)
    })
  ),
  innerLeavesNothing(
    "a transaction within one fails by itself, and the outer one goes on",
    Effect.fail("no")
  ),
  innerLeavesNothing("a transaction within one dies by itself, and the outer one goes on", Effect.die("no")),
  example(
    "a transaction within one whose verb fails is undone, and the outer one goes on",
    Effect.gen(function* () {
      yield* start
      yield* transaction(
        Effect.gen(function* () {
          const inner = transaction(Effect.andThen(insert(people, person("2")), insert(people, person("1"))))
          expect((yield* Effect.flip(inner))._tag).toBe("UniqueViolation")
          yield* insert(people, person("3"))
        })
      )
      expect(yield* list(people, "id")).toEqual(["1", "3"])
    })
  ),
  example(
    "a transaction within one goes with the outer one, though it succeeded",
    Effect.gen(function* () {
      yield* start
      const within = transaction(
        Effect.andThen(transaction(changes), transaction(insert(people, person("3"))))
      )
      yield* Effect.flip(transaction(Effect.andThen(within, Effect.fail("no"))))
      yield* isAsAtStart
    })
  ),
  example(
    "a number that was taken and undone is given again, so that none is left out",
    Effect.gen(function* () {
      yield* start
      const take = next(folders, { id: "1" }, "counter")
      expect(yield* take).toBe(1)
      yield* Effect.flip(transaction(Effect.andThen(take, Effect.fail("no"))))
      expect(yield* transaction(take)).toBe(2)
    })
  ),
  example(
    "whoever reads outside of an open transaction sees nothing of it",
    Effect.gen(function* () {
      yield* start
      const isWritten = yield* Deferred.make<void>()
      const canEnd = yield* Deferred.make<void>()
      const body = Effect.gen(function* () {
        yield* changes
        yield* Deferred.succeed(isWritten, undefined)
        yield* Deferred.await(canEnd)
        return yield* Effect.fail("no")
      })
      const writer = yield* Effect.forkChild(Effect.flip(transaction(body)))
      yield* Deferred.await(isWritten)
      const reader = yield* Effect.forkChild(
        Effect.all([list(people, "name"), list(folders, "id"), count(people, eq("name", "changed"))])
      )
      // A store may make the reader wait; what it may not is to let it see what is never committed.
      yield* Effect.sleep("20 millis")
      yield* Deferred.succeed(canEnd, undefined)
      expect(yield* Fiber.join(reader)).toEqual([[""], ["1", "2"], 0])
      yield* Fiber.join(writer)
      yield* isAsAtStart
    })
  )
]
