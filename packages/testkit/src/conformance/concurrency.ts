/**
 * Concurrency: common races between transactions that `Records` retries on conflict, such as lost updates and write
 * skew.
 */
import { Records, RecordsAdapter, type Table, Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { type ConformanceTest, exampleTest, propertyTest } from "./ConformanceTest.ts"
import { injectedFailure, runConcurrently } from "./concurrently.ts"
import { folders, notes, people } from "./tables.ts"
import { makeFolder, makeNote, makePerson } from "./values.ts"

type Person = Table.Row<typeof people>
type Folder = Table.Row<typeof folders>

/** Waits, so that fibers interleave: not at all (0), until the next scheduler turn (1), or 1 or more milliseconds. */
const pause = (length: number) =>
  length === 0 ? Effect.void : length === 1 ? Effect.yieldNow : Effect.sleep(length - 1)

const pauseArbitrary = fc.nat(3)

const byId = (id: string) => Where.eq<Person, "id">("id", id)

const accountIds = ["1", "2", "3"]

/** Conformance tests of races between concurrent transactions. */
export const concurrencyTests: ReadonlyArray<ConformanceTest> = [
  propertyTest(
    "concurrent transfers preserve the total, never overdraw an account, and are never visible in part",
    12,
    fc.array(
      fc.record({
        from: fc.constantFrom(...accountIds),
        to: fc.constantFrom(...accountIds),
        amount: fc.integer({ min: 1, max: 30 }),
        pauses: fc.tuple(pauseArbitrary, pauseArbitrary, pauseArbitrary),
        end: fc.constantFrom("commit" as const, "commit", "commit", "fail", "die")
      }),
      { minLength: 2, maxLength: 6 }
    ),
    Effect.fnUntraced(function* (transfers) {
      const records = yield* Records
      yield* records.insertMany(
        people,
        accountIds.map((id) => makePerson(id, { balance: 40 }))
      )
      const moved = transfers.map(({ from, to, amount, pauses: [first, second, third], end }) =>
        records.transaction(
          Effect.gen(function* () {
            yield* pause(first)
            const source = yield* records.get(people, { id: from })
            if (source === undefined || source.balance < amount) return yield* Effect.fail(injectedFailure)
            yield* pause(second)
            // Writes back a value computed from the read, which overwrites an update in between unless it conflicts.
            yield* records.update(people, byId(from), { balance: source.balance - amount })
            yield* pause(third)
            yield* records.update(people, byId(to), {}, { balance: amount })
            if (end === "fail") return yield* Effect.fail(injectedFailure)
            if (end === "die") return yield* Effect.die(injectedFailure)
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
      const expected = new Map(accountIds.map((id) => [id, 40]))
      for (const { from, to, amount } of done) {
        expected.set(from, expected.get(from)! - amount)
        expected.set(to, expected.get(to)! + amount)
      }
      const left = yield* records.find(people, {})
      expect(new Map(left.map(({ id, balance }) => [id, balance]))).toEqual(expected)
      expect(Math.min(...left.map(({ balance }) => balance))).toBeGreaterThanOrEqual(0)
    })
  ),
  propertyTest(
    "`next` in concurrent transactions returns unique numbers without gaps, even if some transactions fail",
    12,
    fc.array(fc.record({ before: pauseArbitrary, after: pauseArbitrary, fails: fc.boolean() }), {
      minLength: 2,
      maxLength: 6
    }),
    Effect.fnUntraced(function* (takers) {
      const records = yield* Records
      yield* records.insert(folders, makeFolder("1"))
      const numbers = yield* runConcurrently(
        takers.map(({ before, after, fails }) =>
          records.transaction(
            Effect.gen(function* () {
              yield* pause(before)
              const number = yield* records.next(folders, { id: "1" }, "counter")
              yield* pause(after)
              yield* records.insert(notes, makeNote("1", number!))
              return fails ? yield* Effect.fail(injectedFailure) : number!
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
  exampleTest(
    "concurrent calls of `next` outside a transaction return unique numbers without gaps",
    Effect.gen(function* () {
      const records = yield* Records
      yield* records.insert(folders, makeFolder("1"))
      const numbers = yield* runConcurrently(
        Array.from({ length: 12 }, () => records.next(folders, { id: "1" }, "counter"))
      )
      const dense = numbers.map((_, index) => index + 1)
      expect(numbers.map(Number).sort((a, b) => a - b)).toEqual(dense)
      expect((yield* records.get(folders, { id: "1" }))?.counter).toBe(dense.length)
    })
  ),
  propertyTest(
    "reads return the same rows as long as the snapshot has the same name, despite concurrent writes",
    12,
    fc.array(fc.record({ before: pauseArbitrary, after: pauseArbitrary, fails: fc.boolean() }), {
      minLength: 1,
      maxLength: 6
    }),
    Effect.fnUntraced(function* (writers) {
      const records = yield* Records
      const { snapshot } = yield* RecordsAdapter
      yield* records.insert(people, makePerson("1", { balance: 0 }))
      const writing = writers.map(({ before, after, fails }) =>
        records.transaction(
          Effect.gen(function* () {
            yield* pause(before)
            yield* records.update(people, byId("1"), {}, { balance: 1 })
            yield* pause(after)
            if (fails) yield* Effect.fail(injectedFailure)
          })
        )
      )
      const readings = Array.from({ length: 12 }, (_, index) =>
        Effect.gen(function* () {
          yield* pause(index % 4)
          const name = yield* snapshot
          const row = yield* records.get(people, { id: "1" })
          const [seen, nameAfter] = [row!.balance, yield* snapshot]
          // If a commit happened in between, the row may belong to either snapshot.
          return name === nameAfter ? [{ name, seen }] : []
        })
      )
      const [, seen] = yield* Effect.all([runConcurrently(writing), runConcurrently(readings)], {
        concurrency: "unbounded"
      })
      const names = Map.groupBy(seen.flat(), ({ name }) => name)
      for (const same of names.values()) expect(new Set(same.map(({ seen }) => seen)).size).toBe(1)
    })
  ),
  exampleTest(
    "exactly one of several concurrent updates matches a row if each update makes the condition false",
    Effect.gen(function* () {
      const records = yield* Records
      yield* records.insert(people, makePerson("1", { name: "free" }))
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
  exampleTest(
    "of concurrent inserts of one unique row, exactly one succeeds and the others report a conflict",
    Effect.gen(function* () {
      const records = yield* Records
      const insert = (id: string) => records.tryInsert(people, makePerson(id, { email: "a" }))
      const outcomes = yield* runConcurrently(
        accountIds
          .concat("4", "5", "6")
          .map((id) => Effect.match(insert(id), { onFailure: (e) => e._tag, onSuccess: () => "" }))
      )
      expect(outcomes.toSorted()).toEqual(["", ...Array.from({ length: 5 }, () => "UniqueViolation")])
    })
  ),
  propertyTest(
    "prevents write skew: of transactions that deactivate a row unless it is the last active one, one fails",
    10,
    fc.array(fc.tuple(pauseArbitrary, pauseArbitrary), { minLength: 2, maxLength: 4 }),
    Effect.fnUntraced(function* (leavers) {
      const records = yield* Records
      yield* records.insertMany(
        people,
        leavers.map((_, index) => makePerson(`${index}`))
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
      const deactivated = left.reduce((sum, n) => sum + n, 0)
      expect(deactivated).toBeLessThan(leavers.length)
      expect(yield* records.count(people, Where.eq<Person, "active">("active", true))).toBe(
        leavers.length - deactivated
      )
    })
  ),
  propertyTest(
    "prevents phantoms: of transactions that insert a row if a query returns none, one inserts",
    10,
    fc.array(fc.tuple(pauseArbitrary, pauseArbitrary), { minLength: 2, maxLength: 4 }),
    Effect.fnUntraced(function* (inserters) {
      const records = yield* Records
      const named = Where.eq<Folder, "name">("name", "only one")
      const inserted = yield* runConcurrently(
        inserters.map(([first, second], index) =>
          records.transaction(
            Effect.gen(function* () {
              yield* pause(first)
              if ((yield* records.find(folders, { where: named })).length > 0) return 0
              yield* pause(second)
              yield* records.insert(folders, makeFolder(`${index}`, { name: "only one" }))
              return 1
            })
          )
        )
      )
      expect(inserted.reduce<number>((sum, n) => sum + n, 0)).toBe(1)
      expect(yield* records.count(folders, named)).toBe(1)
    })
  ),
  propertyTest(
    "leaves no dangling reference if a row is inserted while the row that it references is removed",
    10,
    fc.tuple(pauseArbitrary, pauseArbitrary, pauseArbitrary, pauseArbitrary),
    Effect.fnUntraced(function* ([first, second, third, fourth]) {
      const records = yield* Records
      yield* records.insert(folders, makeFolder("1"))
      yield* runConcurrently<unknown, unknown, never>([
        records.transaction(
          Effect.gen(function* () {
            yield* pause(first)
            if ((yield* records.get(folders, { id: "1" })) === undefined) return
            yield* pause(second)
            yield* records.insert(notes, makeNote("1", 1))
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
