/** Locked transactions: together with undeclared transactions, some serial order explains what they read and wrote. */
import { type Lock, Records, RecordsAdapter, Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type ConformanceTest, exampleTest, propertyTest } from "./ConformanceTest.ts"
import { injectedFailure, permutationsOf, runConcurrently } from "./concurrently.ts"
import {
  applyAction,
  initialItems,
  type LockedAction,
  lockedActionArbitrary,
  locksOf,
  type Model,
  person,
  runAction
} from "./lockedActions.ts"
import { items, people, permits } from "./tables.ts"
import { makePerson } from "./values.ts"

/** A generated transaction. One without a declaration is serializable. */
interface GeneratedTransaction {
  readonly actions: ReadonlyArray<LockedAction>
  readonly isDeclared: boolean
  readonly fails: boolean
}

const start: Effect.Effect<void, unknown, Records> = Effect.gen(function* () {
  const records = yield* Records
  yield* records.insertMany(items, initialItems)
  yield* records.insert(permits, { person, allowed: true })
})

/** Runs the transactions concurrently, and dies if no serial order of the committed ones explains the results. */
const checkSerializable = Effect.fnUntraced(function* (transactions: ReadonlyArray<GeneratedTransaction>) {
  const records = yield* Records
  yield* start
  const done = yield* runConcurrently(
    transactions.map(({ actions, isDeclared, fails }, index) => {
      const nameOf = (at: number) => `new ${index}.${at}`
      const body = Effect.gen(function* () {
        const results = yield* Effect.forEach(actions, (action, at) => runAction(action, nameOf(at)))
        return fails ? yield* Effect.fail(injectedFailure) : { actions, results, nameOf }
      })
      return isDeclared
        ? records.lockedTransaction(actions.flatMap(locksOf), body)
        : records.transaction(body)
    })
  )
  const left = JSON.stringify([
    yield* records.find(items, {}),
    (yield* records.get(permits, { person }))?.allowed
  ])
  const explains = (order: typeof done): boolean => {
    const model: Model = { items: initialItems, allowed: true }
    const hasSameResults = order.every(({ actions, results, nameOf }) =>
      actions.every(
        (action, at) => JSON.stringify(applyAction(model, action, nameOf(at))) === JSON.stringify(results[at])
      )
    )
    const rows = model.items.map(({ id, room, balance }) => ({ id, room, balance }))
    return hasSameResults && JSON.stringify([rows, model.allowed]) === left
  }
  if (permutationsOf(done).some((order) => explains([...order]))) return
  const history = done.map(({ actions, results }) =>
    actions.map((action, at) => ({ ...action, result: results[at] }))
  )
  return yield* Effect.die(
    new Error(
      `No serial order of the transactions has these results:\n${JSON.stringify(history, undefined, 1)}\nand these final rows: ${left}`
    )
  )
})

const wait: LockedAction = { do: "wait", length: 1 }

/** An anomaly of weak isolation: transactions that no serial order explains if they overlap. */
const anomaly = (
  name: string,
  ...transactions: ReadonlyArray<ReadonlyArray<LockedAction>>
): ReadonlyArray<ConformanceTest> =>
  (["declared", "declared and undeclared"] as const).map((kind) =>
    propertyTest(
      `${kind} transactions that overlap cause no ${name}`,
      5,
      fc.record({ copies: fc.integer({ min: 1, max: 2 }), parity: fc.nat(1) }),
      ({ copies, parity }) =>
        checkSerializable(
          Array.from({ length: copies }, () => transactions)
            .flat()
            .slice(0, 4)
            .map((actions, index) => ({
              actions,
              isDeclared: kind === "declared" || index % 2 === parity,
              fails: false
            }))
        )
    )
  )

const room = (mode: Lock["mode"], id: string): Lock => ({ mode, kind: "room", id })

const inNorth = Where.eq<{ room: string }, "room">("room", "north")

/** Conformance tests of locked transactions. A store without them runs them as `transaction`. */
export const lockedTransactionTests: ReadonlyArray<ConformanceTest> = [
  propertyTest(
    "concurrent locked transactions are serializable, also together with undeclared ones",
    60,
    fc.array(
      fc.record({
        actions: fc.array(lockedActionArbitrary, { minLength: 1, maxLength: 4 }),
        isDeclared: fc.nat(3).map((number) => number > 0),
        fails: fc.nat(5).map((number) => number === 0)
      }),
      { minLength: 2, maxLength: 4 }
    ),
    checkSerializable
  ),

  ...anomaly(
    "write skew",
    [{ do: "spend", room: "north", value: 12 }, wait],
    [{ do: "spend", room: "south", value: 12 }, wait]
  ),
  ...anomaly(
    "lost update",
    [{ do: "list", room: "north" }, wait, { do: "add", room: "north", value: 1 }],
    [{ do: "list", room: "north" }, wait, { do: "add", room: "north", value: 2 }]
  ),
  ...anomaly(
    "phantom",
    [{ do: "fill", room: "north", value: 1 }, wait],
    [{ do: "fill", room: "north", value: 2 }, wait]
  ),
  ...anomaly(
    "unrepeatable read",
    [{ do: "list", room: "north" }, wait, { do: "list", room: "north" }],
    [{ do: "add", room: "north", value: 1 }, wait, { do: "add", room: "north", value: 1 }]
  ),
  ...anomaly(
    "write after the revocation of its permit",
    [{ do: "permit", allowed: false }, wait, { do: "list", room: "north" }],
    [{ do: "write", room: "north", value: 1 }, wait, { do: "write", room: "north", value: 2 }]
  ),
  ...anomaly(
    "write to a room that an item has left",
    [{ do: "move", room: "north" }, wait],
    [{ do: "follow", item: "north 1", value: 3 }, wait]
  ),

  exampleTest(
    "locked transactions of one resource wait for each other instead of conflicting: each runs once",
    Effect.gen(function* () {
      const records = yield* Records
      yield* start
      let runs = 0
      const writers = Array.from({ length: 24 }, (_, index) =>
        records.lockedTransaction(
          [room("exclusive", "north")],
          Effect.gen(function* () {
            runs++
            const found = yield* records.count(items, inNorth)
            yield* Effect.yieldNow
            yield* records.insert(items, { id: `new ${index}`, room: "north", balance: found })
          })
        )
      )
      yield* Effect.all(writers, { concurrency: "unbounded" })
      const numbers = (yield* records.find(items, { where: Where.startsWith("id", "new ") }))
        .map(({ balance }) => balance)
        .sort((one, other) => one - other)
      const dense = writers.map((_, index) => index + 2)
      if (runs !== writers.length || JSON.stringify(numbers) !== JSON.stringify(dense)) {
        return yield* Effect.die(
          new Error(`${writers.length} transactions ran ${runs} times and stored ${numbers.join(", ")}.`)
        )
      }
    })
  ),

  exampleTest(
    "an exclusive lock is acquired while others wait for a shared lock on the same resource",
    Effect.gen(function* () {
      const records = yield* Records
      yield* start
      const readers = Array.from({ length: 8 }, () =>
        records.lockedTransaction([room("shared", "north")], records.count(items, inNorth))
      )
      const writer = records.lockedTransaction(
        [room("exclusive", "north")],
        records.update(items, inNorth, {}, { balance: 1 })
      )
      yield* Effect.all([...readers, writer, ...readers], { concurrency: "unbounded" })
    })
  ),

  propertyTest(
    "a transaction whose locks do not cover it is serializable, and has no effect of the first attempt",
    5,
    fc.constantFrom("read", "write", "table without locks", "undeclared", "more locks"),
    Effect.fnUntraced(function* (kind) {
      const records = yield* Records
      yield* start
      yield* records.insert(people, makePerson("1"))
      const write = records.update(items, inNorth, {}, { balance: 1 })
      const uncovered: Record<typeof kind, Effect.Effect<unknown, unknown>> = {
        read: records.get(permits, { person }),
        write: records.update(permits, Where.eq("person", person), { allowed: true }),
        "table without locks": records.get(people, { id: "1" }),
        undeclared: records.transaction(write),
        "more locks": records.lockedTransaction([room("exclusive", "south")], write)
      }
      let commits = 0
      const whole = records.lockedTransaction(
        [room("exclusive", "north")],
        Effect.gen(function* () {
          yield* write
          yield* uncovered[kind]
          commits++
        })
      )
      yield* Effect.all([whole, whole], { concurrency: "unbounded" })
      const found = yield* records.find(items, { where: inNorth })
      const added = kind === "undeclared" || kind === "more locks" ? 4 : 2
      const isRight = commits >= 2 && found.every(({ balance }) => balance === 5 + added)
      if (!isRight) return yield* Effect.die(new Error(`The balances are ${JSON.stringify(found)}.`))
    })
  ),

  exampleTest(
    "a locked transaction that fails releases its locks",
    Effect.gen(function* () {
      const records = yield* Records
      yield* start
      const locks = [room("exclusive", "north")]
      for (const failure of [Effect.fail("failed"), Effect.die("died"), Effect.interrupt]) {
        yield* Effect.exit(records.lockedTransaction(locks, failure))
      }
      yield* records.lockedTransaction(locks, Effect.void)
    })
  ),

  exampleTest(
    "the names of locked resources include the resources that rows name",
    Effect.gen(function* () {
      const { lockedTransaction } = yield* RecordsAdapter
      if (lockedTransaction === undefined) return
      yield* start
      const names = yield* lockedTransaction(
        [
          room("shared", "south"),
          ...locksOf({ do: "follow", item: "north 1", value: 1 }),
          ...locksOf({ do: "follow", item: "missing", value: 1 })
        ],
        (names) => Effect.succeed([...names].sort())
      )
      if (JSON.stringify(names) !== JSON.stringify(["room:north", "room:south"])) {
        return yield* Effect.die(new Error(`The names are ${names.join(", ")}.`))
      }
    })
  )
]
