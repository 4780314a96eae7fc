/** Serializability: some serial order of the transactions explains everything that they read and wrote. */
import { Records, type Table, Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type ConformanceTest, property } from "./ConformanceTest.ts"
import { onPurpose, runConcurrently } from "./concurrently.ts"
import { people } from "./tables.ts"
import { person } from "./values.ts"

type Person = Table.Row<typeof people>

const ids = ["1", "2", "3"] as const

/** An action of a transaction on numbers by name, and its result. */
type Action =
  | { readonly do: "read"; readonly id: string }
  /** How many numbers are above that. */
  | { readonly do: "above"; readonly than: number }
  | { readonly do: "write"; readonly id: string; readonly value: number }
  | { readonly do: "add"; readonly id: string; readonly value: number }
  /** Writes to one what was read from another. */
  | { readonly do: "copy"; readonly id: string; readonly to: string }
  | { readonly do: "create"; readonly value: number }
  | { readonly do: "wait"; readonly length: number }

type Numbers = Map<string, number>

const act = (numbers: Numbers, action: Action, self: string): unknown => {
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

const actInStore = Effect.fnUntraced(function* (action: Action, self: string) {
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
      return yield* records.insert(people, person(self, { balance: action.value }))
    case "wait":
      return yield* action.length === 0 ? Effect.yieldNow : Effect.sleep(action.length)
  }
})

const id = fc.constantFrom(...ids)
const value = fc.integer({ min: -5, max: 5 })

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant("read" as const), id }),
  fc.record({ do: fc.constant("above" as const), than: value }),
  fc.record({ do: fc.constant("write" as const), id, value }),
  fc.record({ do: fc.constant("add" as const), id, value }),
  fc.record({ do: fc.constant("copy" as const), id, to: id }),
  fc.record({ do: fc.constant("wait" as const), length: fc.nat(2) })
)

/** A row is created once at most: the same key would be refused. */
const actions = fc
  .tuple(fc.array(action, { minLength: 1, maxLength: 5 }), fc.option(value))
  .map(
    ([all, created]): ReadonlyArray<Action> =>
      created === null ? all : [...all, { do: "create", value: created }]
  )

const orders = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  all.length === 0
    ? [[]]
    : all.flatMap((first, index) =>
        orders([...all.slice(0, index), ...all.slice(index + 1)]).map((rest) => [first, ...rest])
      )

const sorted = (numbers: Iterable<readonly [string, number]>) =>
  [...numbers].sort(([a], [b]) => (a < b ? -1 : 1))

/** See the module's comment. */
export const serializabilityTests: ReadonlyArray<ConformanceTest> = [
  property(
    "whatever transactions do at once, there is an order in which they could have done it one after the other",
    25,
    fc.array(fc.record({ actions, fails: fc.nat(5).map((n) => n === 0) }), { minLength: 2, maxLength: 4 }),
    Effect.fnUntraced(function* (transactions) {
      const records = yield* Records
      yield* records.insertMany(
        people,
        ids.map((id) => person(id))
      )
      const done = yield* runConcurrently(
        transactions.map(({ actions, fails }, index) =>
          records.transaction(
            Effect.gen(function* () {
              const self = `new ${index}`
              const answers = yield* Effect.forEach(actions, (action) => actInStore(action, self))
              return fails ? yield* Effect.fail(onPurpose) : { actions, answers, self }
            })
          )
        )
      )
      const left = sorted((yield* records.find(people, {})).map(({ id, balance }) => [id, balance] as const))
      const explains = (order: typeof done) => {
        const numbers: Numbers = new Map(ids.map((id) => [id, 0]))
        const isAnswered = order.every(({ actions, answers, self }) =>
          actions.every((action, index) => act(numbers, action, self) === answers[index])
        )
        return isAnswered && JSON.stringify(sorted(numbers)) === JSON.stringify(left)
      }
      if (!orders(done).some((order) => explains([...order]))) {
        const result = done.map(({ actions, answers }) =>
          actions.map((action, i) => ({ ...action, result: answers[i] }))
        )
        return yield* Effect.die(
          new Error(
            `No order explains ${JSON.stringify(result, undefined, 1)}\nwith ${JSON.stringify(left)} at the end`
          )
        )
      }
    })
  )
]
