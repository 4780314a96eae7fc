/** `transaction`: one fixed case per requirement. */
import { RecordsAdapter, StorageUnavailable, type WriteError } from "@lectern/core"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, exampleTest } from "./ConformanceTest.ts"
import {
  addToColumns,
  countRows,
  eq,
  everyRow,
  insertMissingRows,
  insertRows,
  inTransaction,
  listColumn,
  nextNumber,
  removeRows,
  setColumns
} from "./examples.ts"
import { folders, people } from "./tables.ts"
import { makeFolder, makePerson } from "./values.ts"

/** The writes of a transaction that return nothing are executed in order with its queries, also in a savepoint. */
const laterWritesTest: ConformanceTest = exampleTest(
  "reads its writes that return nothing, also in a savepoint, and rolls them back with a savepoint that fails",
  Effect.gen(function* () {
    const store = yield* RecordsAdapter
    const later = { isResultUnused: true }
    yield* insertRows(people, makePerson("1"))
    yield* store.transaction(
      Effect.gen(function* () {
        yield* store.insert(people, [makePerson("2")], later)
        const nested = store.transaction(
          Effect.gen(function* () {
            expect(yield* listColumn(people, "id")).toEqual(["1", "2"])
            yield* store.remove(people, everyRow, later)
            return yield* Effect.fail("rolled back")
          })
        )
        expect(yield* Effect.flip(nested)).toBe("rolled back")
        yield* store.update(people, eq("id", "2"), { set: { name: "changed" }, add: {} }, later)
        yield* store.transaction(store.insertMissing(people, [makePerson("2"), makePerson("3")], later))
        expect(yield* listColumn(people, "name")).toEqual(["", "changed", ""])
        yield* store.remove(people, eq("id", "1"), later)
      })
    )
    expect(yield* listColumn(people, "id")).toEqual(["2", "3"])
    const violating = store.transaction(store.insert(people, [makePerson("4"), makePerson("3")], later))
    expect(Exit.isFailure(yield* Effect.exit(violating))).toBe(true)
    expect(yield* listColumn(people, "id")).toEqual(["2", "3"])
  })
)

/** The use of rows that are found before the end of a transaction is a part of the transaction, if a store has `findBeforeEnd`. */
const findBeforeEndTest: ConformanceTest = exampleTest(
  "uses rows that it finds before its end once, before the next query or the end, and is rolled back if their use fails",
  Effect.gen(function* () {
    const store = yield* RecordsAdapter
    const { findBeforeEnd } = store
    if (findBeforeEnd === undefined) return
    const later = { isResultUnused: true }
    const used: Array<ReadonlyArray<unknown>> = []
    const findPeople = (end: Effect.Effect<void, WriteError>) =>
      findBeforeEnd(people, { where: everyRow, orderBy: [], direction: "desc" }, (rows) => {
        used.push(rows.map(({ id }) => id))
        return end
      })
    expect(yield* findPeople(Effect.void)).toBe(false)
    expect(used).toEqual([])
    const insertAtEnd = store.insert(people, [makePerson("3")], later)
    yield* store.transaction(
      Effect.gen(function* () {
        yield* store.insert(people, [makePerson("1"), makePerson("2")], later)
        expect(yield* findPeople(Effect.void)).toBe(true)
        expect(yield* countRows(people)).toBe(2)
        expect(used).toEqual([["2", "1"]])
        yield* findPeople(insertAtEnd)
      })
    )
    expect(used).toEqual([
      ["2", "1"],
      ["2", "1"]
    ])
    expect(yield* listColumn(people, "id")).toEqual(["1", "2", "3"])
    const failing = findPeople(
      Effect.fail(new StorageUnavailable({ reason: "Contention", detail: "The use of rows failed." }))
    )
    const ends = [Effect.void, Effect.asVoid(countRows(people)), store.transaction(Effect.void)]
    for (const end of ends) {
      const removing = Effect.andThen(store.remove(people, everyRow, later), Effect.andThen(failing, end))
      const error = yield* Effect.flip(store.transaction(removing))
      expect({ ...error }).toMatchObject({ _tag: "StorageUnavailable", reason: "Contention" })
      expect(yield* listColumn(people, "id")).toEqual(["1", "2", "3"])
    }
    expect(used.slice(2)).toEqual([[], [], []])
  })
)

/** Uses each kind of write, and changes every row. */
const changeEverything = Effect.gen(function* () {
  yield* insertRows(people, makePerson("2"))
  yield* setColumns(people, eq("id", "1"), { name: "changed" })
  yield* addToColumns(people, everyRow, { balance: 1 })
  yield* removeRows(folders, everyRow)
  yield* nextNumber(people, { id: "1" }, "balance")
})

const insertInitialRows = Effect.gen(function* () {
  yield* insertRows(people, makePerson("1"))
  yield* insertRows(folders, makeFolder("1"), makeFolder("2", { parent: "1" }))
})

const expectInitialRows = Effect.gen(function* () {
  const store = yield* RecordsAdapter
  const rows = yield* store.find(people, { where: everyRow, orderBy: [], direction: "asc" })
  expect(rows.map((row) => ({ ...row }))).toEqual([makePerson("1")])
  expect(yield* listColumn(folders, "id")).toEqual(["1", "2"])
})

const rollsBack = (name: string, end: Effect.Effect<unknown, string>): ConformanceTest =>
  exampleTest(
    name,
    Effect.gen(function* () {
      yield* insertInitialRows
      const exit = yield* Effect.exit(inTransaction(Effect.andThen(changeEverything, end)))
      expect(Exit.isFailure(exit)).toBe(true)
      yield* expectInitialRows
    })
  )

const rollsBackNested = (name: string, end: Effect.Effect<unknown, string>): ConformanceTest =>
  exampleTest(
    name,
    Effect.gen(function* () {
      yield* insertInitialRows
      yield* inTransaction(
        Effect.gen(function* () {
          yield* insertRows(people, makePerson("before"))
          const exit = yield* Effect.exit(inTransaction(Effect.andThen(changeEverything, end)))
          expect(Exit.isFailure(exit)).toBe(true)
          expect(yield* listColumn(people, "id")).toEqual(["1", "before"])
          yield* insertRows(people, makePerson("then"))
        })
      )
      expect(yield* listColumn(people, "id")).toEqual(["1", "before", "then"])
      expect(yield* listColumn(people, "name")).toEqual(["", "", ""])
      expect(yield* countRows(folders)).toBe(2)
    })
  )

/** Conformance tests of `transaction`. */
export const transactionTests: ReadonlyArray<ConformanceTest> = [
  laterWritesTest,
  findBeforeEndTest,
  exampleTest(
    "every commit changes the name of the snapshot to one that was never used before",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const committed: ReadonlyArray<Effect.Effect<unknown, unknown, RecordsAdapter>> = [
        insertInitialRows,
        insertMissingRows(people, makePerson("3")),
        setColumns(people, eq("id", "1"), { name: "changed" }),
        addToColumns(people, everyRow, { balance: 1 }),
        addToColumns(people, everyRow, { balance: -1 }),
        nextNumber(people, { id: "1" }, "balance"),
        removeRows(folders, everyRow),
        inTransaction(insertRows(people, makePerson("2"))),
        removeRows(people, everyRow)
      ]
      const names = [yield* store.snapshot]
      for (const change of committed) {
        yield* change
        names.push(yield* store.snapshot)
      }
      expect(new Set(names).size).toBe(names.length)
    })
  ),
  exampleTest(
    "a transaction that succeeds is committed, and returns its value",
    Effect.gen(function* () {
      yield* insertInitialRows
      expect(yield* inTransaction(Effect.as(changeEverything, "value"))).toBe("value")
      expect(yield* listColumn(people, "name")).toEqual(["changed", ""])
      expect(yield* listColumn(people, "balance")).toEqual([2, 1])
      expect(yield* countRows(folders)).toBe(0)
    })
  ),
  exampleTest(
    "a transaction reads its own writes",
    inTransaction(
      Effect.gen(function* () {
        yield* insertInitialRows
        yield* changeEverything
        expect(yield* listColumn(people, "id")).toEqual(["1", "2"])
        expect(yield* countRows(people, eq("name", "changed"))).toBe(1)
        expect(yield* countRows(folders)).toBe(0)
      })
    )
  ),
  rollsBack("a transaction that fails is rolled back", Effect.fail("no")),
  rollsBack("a transaction that dies is rolled back", Effect.die("no")),
  rollsBack("a transaction that interrupts itself is rolled back", Effect.interrupt),
  exampleTest(
    "a transaction fails with the error, defect or violation that occurred in it, unchanged",
    Effect.gen(function* () {
      yield* insertInitialRows
      expect(yield* Effect.flip(inTransaction(Effect.fail("no")))).toBe("no")
      const died = yield* Effect.exit(inTransaction(Effect.die("died")))
      expect(died).toEqual(Exit.die("died"))
      const refused = yield* Effect.flip(inTransaction(insertRows(people, makePerson("1"))))
      expect({ ...refused }).toMatchObject({ _tag: "UniqueViolation", table: people.name })
    })
  ),
  exampleTest(
    "a transaction that another fiber interrupts is rolled back, and the store stays usable",
    Effect.gen(function* () {
      yield* insertInitialRows
      const isWritten = yield* Deferred.make<void>()
      const body = changeEverything.pipe(
        Effect.andThen(Deferred.succeed(isWritten, undefined)),
        Effect.andThen(Effect.never)
      )
      const fiber = yield* Effect.forkChild(inTransaction(body))
      yield* Deferred.await(isWritten)
      yield* Fiber.interrupt(fiber)
      yield* expectInitialRows
      yield* inTransaction(insertRows(people, makePerson("3")))
      expect(yield* countRows(people)).toBe(2)
    })
  ),
  rollsBackNested(
    "a nested transaction that fails is rolled back, and the outer one continues",
    Effect.fail("no")
  ),
  rollsBackNested(
    "a nested transaction that dies is rolled back, and the outer one continues",
    Effect.die("no")
  ),
  exampleTest(
    "a nested transaction with a failed verb is rolled back, and the outer one continues",
    Effect.gen(function* () {
      yield* insertInitialRows
      yield* inTransaction(
        Effect.gen(function* () {
          const inner = inTransaction(
            Effect.andThen(insertRows(people, makePerson("2")), insertRows(people, makePerson("1")))
          )
          expect((yield* Effect.flip(inner))._tag).toBe("UniqueViolation")
          yield* insertRows(people, makePerson("3"))
        })
      )
      expect(yield* listColumn(people, "id")).toEqual(["1", "3"])
    })
  ),
  exampleTest(
    "a nested transaction that succeeded is rolled back with the outer one",
    Effect.gen(function* () {
      yield* insertInitialRows
      const within = inTransaction(
        Effect.andThen(inTransaction(changeEverything), inTransaction(insertRows(people, makePerson("3"))))
      )
      yield* Effect.flip(inTransaction(Effect.andThen(within, Effect.fail("no"))))
      yield* expectInitialRows
    })
  ),
  exampleTest(
    "`next` returns a rolled-back number again, so that there are no gaps",
    Effect.gen(function* () {
      yield* insertInitialRows
      const take = nextNumber(folders, { id: "1" }, "counter")
      expect(yield* take).toBe(1)
      yield* Effect.flip(inTransaction(Effect.andThen(take, Effect.fail("no"))))
      expect(yield* inTransaction(take)).toBe(2)
    })
  ),
  exampleTest(
    "uncommitted changes are not visible outside the transaction",
    Effect.gen(function* () {
      yield* insertInitialRows
      const isWritten = yield* Deferred.make<void>()
      const canEnd = yield* Deferred.make<void>()
      const body = Effect.gen(function* () {
        yield* changeEverything
        yield* Deferred.succeed(isWritten, undefined)
        yield* Deferred.await(canEnd)
        return yield* Effect.fail("no")
      })
      const writer = yield* Effect.forkChild(Effect.flip(inTransaction(body)))
      yield* Deferred.await(isWritten)
      const reader = yield* Effect.forkChild(
        Effect.all([
          listColumn(people, "name"),
          listColumn(folders, "id"),
          countRows(people, eq("name", "changed"))
        ])
      )
      // A store may block the reader, and must not return uncommitted rows to it.
      yield* Effect.sleep("20 millis")
      yield* Deferred.succeed(canEnd, undefined)
      expect(yield* Fiber.join(reader)).toEqual([[""], ["1", "2"], 0])
      yield* Fiber.join(writer)
      yield* expectInitialRows
    })
  )
]
