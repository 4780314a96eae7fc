/** Serializability: some serial order of the transactions explains everything that they read and wrote. */
import { Records, type Table, Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type ConformanceTest, propertyTest } from "./ConformanceTest.ts"
import { injectedFailure, permutationsOf, runConcurrently } from "./concurrently.ts"
import { people } from "./tables.ts"
import { makePerson } from "./values.ts"

type Person = Table.Row<typeof people>

const ids = ["1", "2", "3"] as const

/** An action of a transaction on numbers by name, and its result. */
type Action =
  | { readonly do: "read"; readonly id: string }
  /** Counts the numbers above a limit. */
  | { readonly do: "above"; readonly than: number }
  | { readonly do: "write"; readonly id: string; readonly value: number }
  | { readonly do: "add"; readonly id: string; readonly value: number }
  /** Copies one number to another. */
  | { readonly do: "copy"; readonly id: string; readonly to: string }
  | { readonly do: "create"; readonly value: number }
  | { readonly do: "wait"; readonly length: number }

/** The state of the model: numbers by name. */
type Numbers = Map<string, number>

/** Applies an action to the model. Returns the expected result of the store. */
const applyAction = (numbers: Numbers, action: Action, self: string): unknown => {
  switch (action.do) {
    case "read":
      return numbers.get(action.id)
    case "above":
      return [...numbers.values()].filter((value) => value > action.than).length
    case "write":
      numbers.set(action.id, action.value)
      return 1
    case "add":
      numbers.set(action.id, numbers.get(action.id)! + action.value)
      return 1
    case "copy":
      numbers.set(action.to, numbers.get(action.id)!)
      return numbers.get(action.id)
    case "create":
      numbers.set(self, action.value)
      return undefined
    case "wait":
      return undefined
  }
}

/** Runs an action on the store. */
const runAction = Effect.fnUntraced(function* (action: Action, self: string) {
  const records = yield* Records
  const byId = (id: string) => Where.eq<Person, "id">("id", id)
  const read = (id: string) => Effect.map(records.get(people, { id }), (row) => row?.balance)
  switch (action.do) {
    case "read":
      return yield* read(action.id)
    case "above":
      return yield* records.count(people, Where.gt<Person, "balance">("balance", action.than))
    case "write":
      return yield* records.update(people, byId(action.id), { balance: action.value })
    case "add":
      return yield* records.update(people, byId(action.id), {}, { balance: action.value })
    case "copy": {
      const value = yield* read(action.id)
      yield* records.update(people, byId(action.to), { balance: value! })
      return value
    }
    case "create":
      return yield* records.insert(people, makePerson(self, { balance: action.value }))
    case "wait":
      return yield* action.length === 0 ? Effect.yieldNow : Effect.sleep(action.length)
  }
})

const idArbitrary = fc.constantFrom(...ids)
const valueArbitrary = fc.integer({ min: -5, max: 5 })

const actionArbitrary: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant("read" as const), id: idArbitrary }),
  fc.record({ do: fc.constant("above" as const), than: valueArbitrary }),
  fc.record({ do: fc.constant("write" as const), id: idArbitrary, value: valueArbitrary }),
  fc.record({ do: fc.constant("add" as const), id: idArbitrary, value: valueArbitrary }),
  fc.record({ do: fc.constant("copy" as const), id: idArbitrary, to: idArbitrary }),
  fc.record({ do: fc.constant("wait" as const), length: fc.nat(2) })
)

/** The actions of a transaction. At most one creates a row, as a second one would violate the key. */
const actionsArbitrary = fc
  .tuple(fc.array(actionArbitrary, { minLength: 1, maxLength: 5 }), fc.option(valueArbitrary))
  .map(
    ([all, created]): ReadonlyArray<Action> =>
      created === null ? all : [...all, { do: "create", value: created }]
  )

const sortById = (numbers: Iterable<readonly [string, number]>) =>
  [...numbers].sort(([a], [b]) => (a < b ? -1 : 1))

/** Conformance tests of serializability. */
export const serializabilityTests: ReadonlyArray<ConformanceTest> = [
  propertyTest(
    "concurrent transactions are serializable: some serial order returns the same results and the same final rows",
    25,
    fc.array(fc.record({ actions: actionsArbitrary, fails: fc.nat(5).map((n) => n === 0) }), {
      minLength: 2,
      maxLength: 4
    }),
    Effect.fnUntraced(function* (transactions) {
      const records = yield* Records
      yield* records.insertMany(
        people,
        ids.map((id) => makePerson(id))
      )
      const done = yield* runConcurrently(
        transactions.map(({ actions, fails }, index) =>
          records.transaction(
            Effect.gen(function* () {
              const self = `new ${index}`
              const results = yield* Effect.forEach(actions, (action) => runAction(action, self))
              return fails ? yield* Effect.fail(injectedFailure) : { actions, results, self }
            })
          )
        )
      )
      const left = sortById(
        (yield* records.find(people, {})).map(({ id, balance }) => [id, balance] as const)
      )
      const explains = (order: typeof done) => {
        const numbers: Numbers = new Map(ids.map((id) => [id, 0]))
        const hasSameResults = order.every(({ actions, results, self }) =>
          actions.every((action, index) => applyAction(numbers, action, self) === results[index])
        )
        return hasSameResults && JSON.stringify(sortById(numbers)) === JSON.stringify(left)
      }
      if (!permutationsOf(done).some((order) => explains([...order]))) {
        const history = done.map(({ actions, results }) =>
          actions.map((action, i) => ({ ...action, result: results[i] }))
        )
        return yield* Effect.die(
          new Error(
            `No serial order of the transactions has these results:\n${JSON.stringify(history, undefined, 1)}\nand these final rows: ${JSON.stringify(left)}`
          )
        )
      }
    })
  )
]
