/** Fibers that use one store concurrently, through `Records` and its retries, leave what some serial order leaves. */
import { Records, type Table, Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { type ConformanceTest, example, property } from "./ConformanceTest.ts"
import { onPurpose, runConcurrently } from "./concurrently.ts"
import { folders, notes, people } from "./tables.ts"
import { folder, note, person } from "./values.ts"

type Person = Table.Row<typeof people>
type Folder = Table.Row<typeof folders>

/** Lets others go on: at once, after all that is ready, or after a while. */
const pause = (length: number) =>
  length === 0 ? Effect.void : length === 1 ? Effect.yieldNow : Effect.sleep(length - 1)

const pauses = fc.nat(3)

const byId = (id: string) => Where.eq<Person, "id">("id", id)

const accounts = ["1", "2", "3"]

/** See the module's comment. */
export const concurrencyTests: ReadonlyArray<ConformanceTest> = [
  property(
    "money that is moved is neither made nor lost, no account is overdrawn, and nobody sees it half moved",
    12,
    fc.array(
      fc.record({
        from: fc.constantFrom(...accounts),
        to: fc.constantFrom(...accounts),
        amount: fc.integer({ min: 1, max: 30 }),
        pauses: fc.tuple(pauses, pauses, pauses),
        end: fc.constantFrom("commit" as const, "commit", "commit", "fail", "die")
      }),
      { minLength: 2, maxLength: 6 }
    ),
    Effect.fnUntraced(function* (transfers) {
      const records = yield* Records
      yield* records.insertMany(
        people,
        accounts.map((id) => person(id, { balance: 40 }))
      )
      const moved = transfers.map(({ from, to, amount, pauses: [first, second, third], end }) =>
        records.transaction(
          Effect.gen(function* () {
            yield* pause(first)
            const source = yield* records.get(people, { id: from })
            if (source === undefined || source.balance < amount) return yield* Effect.fail(onPurpose)
            yield* pause(second)
            // What was read is written back: an update that others made in between would be lost.
            yield* records.update(people, byId(from), { balance: source.balance - amount })
            yield* pause(third)
            yield* records.update(people, byId(to), {}, { balance: amount })
            if (end === "fail") return yield* Effect.fail(onPurpose)
            if (end === "die") return yield* Effect.die(onPurpose)
            return { from, to, amount }
          })
        )
      )
      const sums = Array.from({ length: 4 }, (_, index) =>
        Effect.andThen(
          pause(index),
          Effect.map(records.find(people, {}), (rows) => rows.reduce((sum, { balance }) => sum + balance, 0))
        )
      )
      const [done, seen] = yield* Effect.all([runConcurrently(moved), runConcurrently(sums)], {
        concurrency: "unbounded"
      })
      expect(seen).toEqual(sums.map(() => 120))
      const expected = new Map(accounts.map((id) => [id, 40]))
      for (const { from, to, amount } of done) {
        expected.set(from, expected.get(from)! - amount)
        expected.set(to, expected.get(to)! + amount)
      }
      const left = yield* records.find(people, {})
      expect(new Map(left.map(({ id, balance }) => [id, balance]))).toEqual(expected)
      expect(Math.min(...left.map(({ balance }) => balance))).toBeGreaterThanOrEqual(0)
    })
  ),
  property(
    "numbers that are taken are unique and dense, whoever fails in between",
    12,
    fc.array(fc.record({ before: pauses, after: pauses, fails: fc.boolean() }), {
      minLength: 2,
      maxLength: 6
    }),
    Effect.fnUntraced(function* (takers) {
      const records = yield* Records
      yield* records.insert(folders, folder("1"))
      const numbers = yield* runConcurrently(
        takers.map(({ before, after, fails }) =>
          records.transaction(
            Effect.gen(function* () {
              yield* pause(before)
              const number = yield* records.next(folders, { id: "1" }, "counter")
              yield* pause(after)
              yield* records.insert(notes, note("1", number!))
              return fails ? yield* Effect.fail(onPurpose) : number!
            })
          )
        )
      )
      const dense = numbers.map((_, index) => index + 1)
      expect(numbers.toSorted((a, b) => a - b)).toEqual(dense)
      expect((yield* records.find(notes, {})).map(({ number }) => number)).toEqual(dense)
      expect((yield* records.get(folders, { id: "1" }))?.counter).toBe(dense.length)
    })
  ),
  example(
    "numbers that are taken without a transaction are unique and dense too",
    Effect.gen(function* () {
      const records = yield* Records
      yield* records.insert(folders, folder("1"))
      const numbers = yield* runConcurrently(
        Array.from({ length: 12 }, () => records.next(folders, { id: "1" }, "counter"))
      )
      const dense = numbers.map((_, index) => index + 1)
      expect(numbers.map(Number).sort((a, b) => a - b)).toEqual(dense)
      expect((yield* records.get(folders, { id: "1" }))?.counter).toBe(dense.length)
    })
  ),
  property(
    "while the snapshot has the same name, all that is read is the same, whoever writes",
    12,
    fc.array(fc.record({ before: pauses, after: pauses, fails: fc.boolean() }), {
      minLength: 1,
      maxLength: 6
    }),
    Effect.fnUntraced(function* (writers) {
      const records = yield* Records
      yield* records.insert(people, person("1", { balance: 0 }))
      const writing = writers.map(({ before, after, fails }) =>
        records.transaction(
          Effect.gen(function* () {
            yield* pause(before)
            yield* records.update(people, byId("1"), {}, { balance: 1 })
            yield* pause(after)
            if (fails) yield* Effect.fail(onPurpose)
          })
        )
      )
      const readings = Array.from({ length: 12 }, (_, index) =>
        Effect.gen(function* () {
          yield* pause(index % 4)
          const name = yield* records.snapshot
          const row = yield* records.get(people, { id: "1" })
          const [seen, still] = [row!.balance, yield* records.snapshot]
          // Something was committed in between: what was read is of one of the two.
          return name === still ? [{ name, seen }] : []
        })
      )
      const [, seen] = yield* Effect.all([runConcurrently(writing), runConcurrently(readings)], {
        concurrency: "unbounded"
      })
      const names = Map.groupBy(seen.flat(), ({ name }) => name)
      for (const same of names.values()) expect(new Set(same.map(({ seen }) => seen)).size).toBe(1)
    })
  ),
  example(
    "of many who update with a condition that the update makes false, exactly one finds the row",
    Effect.gen(function* () {
      const records = yield* Records
      yield* records.insert(people, person("1", { name: "free" }))
      const claim = (name: string) =>
        records.update(people, Where.and<Person>(byId("1"), Where.eq("name", "free")), { name })
      const names = Array.from({ length: 12 }, (_, index) => `${index}`)
      const found = yield* runConcurrently(
        names.map((name) => Effect.map(claim(name), (n) => (n === 1 ? [name] : [])))
      )
      expect(found.flat()).toHaveLength(1)
      expect((yield* records.get(people, { id: "1" }))?.name).toBe(found.flat()[0])
    })
  ),
  example(
    "of concurrent inserts of one unique row, exactly one succeeds and the others report a conflict",
    Effect.gen(function* () {
      const records = yield* Records
      const insert = (id: string) => records.tryInsert(people, person(id, { email: "a" }))
      const answers = yield* runConcurrently(
        accounts
          .concat("4", "5", "6")
          .map((id) => Effect.match(insert(id), { onFailure: (e) => e._tag, onSuccess: () => "" }))
      )
      expect(answers.toSorted()).toEqual(["", ...Array.from({ length: 5 }, () => "UniqueViolation")])
    })
  ),
  property(
    "of those who leave unless they are the last, one stays: what a transaction read holds until it commits",
    10,
    fc.array(fc.tuple(pauses, pauses), { minLength: 2, maxLength: 4 }),
    Effect.fnUntraced(function* (leavers) {
      const records = yield* Records
      yield* records.insertMany(
        people,
        leavers.map((_, index) => person(`${index}`))
      )
      const left = yield* runConcurrently(
        leavers.map(([first, second], index) =>
          records.transaction(
            Effect.gen(function* () {
              yield* pause(first)
              if ((yield* records.count(people, Where.eq<Person, "active">("active", true))) < 2) return 0
              yield* pause(second)
              return yield* records.update(people, byId(`${index}`), { active: false })
            })
          )
        )
      )
      const gone = left.reduce((sum, n) => sum + n, 0)
      expect(gone).toBeLessThan(leavers.length)
      expect(yield* records.count(people, Where.eq<Person, "active">("active", true))).toBe(
        leavers.length - gone
      )
    })
  ),
  property(
    "of those who insert where they find nothing, one does: rows that are not there yet are read too",
    10,
    fc.array(fc.tuple(pauses, pauses), { minLength: 2, maxLength: 4 }),
    Effect.fnUntraced(function* (makers) {
      const records = yield* Records
      const named = Where.eq<Folder, "name">("name", "only one")
      const made = yield* runConcurrently(
        makers.map(([first, second], index) =>
          records.transaction(
            Effect.gen(function* () {
              yield* pause(first)
              if ((yield* records.find(folders, { where: named })).length > 0) return 0
              yield* pause(second)
              yield* records.insert(folders, folder(`${index}`, { name: "only one" }))
              return 1
            })
          )
        )
      )
      expect(made.reduce<number>((sum, n) => sum + n, 0)).toBe(1)
      expect(yield* records.count(folders, named)).toBe(1)
    })
  ),
  property(
    "no row comes to refer to one that goes at the same time",
    10,
    fc.tuple(pauses, pauses, pauses, pauses),
    Effect.fnUntraced(function* ([first, second, third, fourth]) {
      const records = yield* Records
      yield* records.insert(folders, folder("1"))
      yield* runConcurrently<unknown, unknown, never>([
        records.transaction(
          Effect.gen(function* () {
            yield* pause(first)
            if ((yield* records.get(folders, { id: "1" })) === undefined) return
            yield* pause(second)
            yield* records.insert(notes, note("1", 1))
          })
        ),
        records.transaction(
          Effect.gen(function* () {
            yield* pause(third)
            yield* records.remove(folders, Where.eq<Folder, "id">("id", "1"))
            yield* pause(fourth)
          })
        )
      ])
      const [left, orphans] = [
        yield* records.count(folders, Where.all),
        yield* records.count(notes, Where.all)
      ]
      expect([left, orphans]).toEqual([0, 0])
    })
  )
]
