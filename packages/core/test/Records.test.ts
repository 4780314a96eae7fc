/** What `Records` adds to a store: retries, transactions that are over once a verb has failed, and defects. */
import {
  Records,
  RecordsAdapter,
  StorageConflict,
  StorageUnavailable,
  snapshotCache,
  Table,
  Where
} from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Cause, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

const things = Table.make("things", {
  columns: { id: Table.text(), name: Table.nullable(Table.text()), of: Table.nullable(Table.text()) },
  key: ["id"],
  unique: [["name"]],
  references: { of: { table: (): Table.AnyTable => things, onRemove: "restrict" } }
})

const thing = (id: string, fields: { readonly name?: string; readonly of?: string } = {}) => ({
  ...{ id, name: null, of: null },
  ...fields
})

type Thing = Table.Row<typeof things>

const byId = (id: string) => Where.eq<Thing, "id">("id", id)

type Adapter = RecordsAdapter["Service"]

/** Runs it on the store in memory, with what is changed of it, and with a clock that the test moves. */
const run = <A, E>(
  effect: Effect.Effect<A, E, Records>,
  change: (adapter: Adapter) => Partial<Adapter> = () => ({})
): Promise<A> => {
  const adapter = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (memory) => RecordsAdapter.of({ ...memory, ...change(memory) }))
  ).pipe(Layer.provide(MemoryStorage.layer([things])))
  const layer = Layer.mergeAll(Records.layer.pipe(Layer.provide(adapter)), TestClock.layer())
  return Effect.runPromise(Effect.provide(effect, layer))
}

/** Lets the time go by that retries wait for. */
const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

/** A store whose transactions and writes outside of them meet others, so many times. */
const meeting = (times: number) => {
  const counted = { tries: 0 }
  const change = ({ transaction, insert }: Adapter): Partial<Adapter> => ({
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | StorageConflict | StorageUnavailable, R> => {
        counted.tries++
        const met = counted.tries <= times
        return transaction(
          Effect.andThen(self, (value) => (met ? Effect.fail(new StorageConflict()) : Effect.succeed(value)))
        )
      }),
    insert: (table, rows) =>
      Effect.suspend(() => {
        counted.tries++
        return counted.tries <= times ? Effect.fail(new StorageConflict()) : insert(table, rows)
      })
  })
  return { counted, change }
}

describe("a transaction that meets others", () => {
  it("is run again from its start, and leaves what its last run did", async () => {
    const { counted, change } = meeting(3)
    const ids: Array<string> = []
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        const body = Effect.suspend(() => {
          const id = `${counted.tries}`
          ids.push(id)
          return records.update(things, Where.all as Where.Where<Thing>, { name: id })
        })
        expect(yield* inTime(records.transaction(body))).toBe(0)
      }),
      change
    )
    expect(ids).toEqual(["1", "2", "3", "4"])
  })

  it("fails with StorageUnavailable when it kept meeting them", async () => {
    const { counted, change } = meeting(Number.POSITIVE_INFINITY)
    const error = await run(
      Effect.flatMap(Records, (records) => Effect.flip(inTime(records.transaction(Effect.void)))),
      change
    )
    expect(error).toBeInstanceOf(StorageUnavailable)
    // Once, once more without a pause, and 30 times with one.
    expect(counted.tries).toBe(32)
  })

  it("is not run again when it fails otherwise", async () => {
    const { counted, change } = meeting(0)
    const error = await run(
      Effect.flatMap(Records, (records) => Effect.flip(records.transaction(Effect.fail("no")))),
      change
    )
    expect(error).toBe("no")
    expect(counted.tries).toBe(1)
  })

  it("is run again as a whole when it is one within another that met others", async () => {
    let inner = 0
    let outer = 0
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        const within = records.transaction(
          Effect.suspend(() => (++inner === 1 ? Effect.fail(new StorageConflict()) : Effect.void))
        )
        // Whoever takes the failure of the inner one for its own does not get around the conflict.
        const body = Effect.andThen(
          Effect.sync(() => outer++),
          Effect.ignore(within)
        )
        yield* inTime(records.transaction(body))
      })
    )
    expect([outer, inner]).toEqual([2, 2])
  })
})

describe("a verb outside of a transaction", () => {
  it("is tried again when it meets others", async () => {
    const { counted, change } = meeting(2)
    await run(
      Effect.flatMap(Records, (records) => inTime(records.insert(things, thing("1")))),
      change
    )
    expect(counted.tries).toBe(3)
  })
})

describe("a transaction in which a verb has failed", () => {
  it("can only be undone, though the failure was caught", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(things, thing("1"))
        const error = yield* records
          .transaction(
            Effect.gen(function* () {
              yield* records.insert(things, thing("2"))
              yield* Effect.ignore(records.tryInsert(things, thing("1")))
            })
          )
          .pipe(Effect.flip)
        expect(error).toMatchObject({ _tag: "UniqueViolation", table: "things" })
        expect(yield* records.count(things, Where.all)).toBe(1)
      })
    ))

  it("asks nothing more of the store", async () => {
    const asked: Array<string> = []
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(things, thing("1"))
        yield* Effect.exit(
          records.transaction(
            Effect.gen(function* () {
              yield* Effect.ignore(records.tryInsert(things, thing("1")))
              asked.length = 0
              yield* Effect.ignore(records.find(things, {}))
              yield* Effect.ignore(records.tryInsert(things, thing("2")))
            })
          )
        )
      }),
      ({ insert, find }) => ({
        insert: (table, rows) =>
          Effect.andThen(
            Effect.sync(() => asked.push("insert")),
            insert(table, rows)
          ),
        find: (table, options) =>
          Effect.andThen(
            Effect.sync(() => asked.push("find")),
            find(table, options)
          )
      })
    )
    expect(asked).toEqual([])
  })

  it("within another fails by itself, and the outer one goes on", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(things, thing("1"))
        yield* records.transaction(
          Effect.gen(function* () {
            const inner = records.transaction(
              Effect.andThen(records.insert(things, thing("2")), records.tryInsert(things, thing("1")))
            )
            expect((yield* Effect.flip(inner))._tag).toBe("UniqueViolation")
            yield* records.insert(things, thing("3"))
          })
        )
        const rows = yield* records.find(things, {})
        expect(rows.map(({ id }) => id)).toEqual(["1", "3"])
      })
    ))
})

describe("what no caller can mend is a defect", () => {
  const dies = (name: string, verb: (records: Records["Service"]) => Effect.Effect<unknown, unknown>) =>
    it(name, () =>
      run(
        Effect.gen(function* () {
          const records = yield* Records
          yield* records.insertMany(things, [thing("1", { name: "a" }), thing("2", { of: "1" })])
          for (const effect of [verb(records), records.transaction(verb(records))]) {
            const exit = yield* Effect.exit(effect)
            expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause)).toBe(
              true
            )
          }
          expect(yield* records.count(things, Where.all)).toBe(2)
        })
      )
    )

  dies("as a row that refers to nothing", (records) => records.tryInsert(things, thing("3", { of: "9" })))
  dies("as removing what others refer to", (records) => records.remove(things, byId("1")))
  dies("as a key that was said to be free", (records) => records.insert(things, thing("1")))
  dies("as a value of a unique set that was said to be free", (records) =>
    records.update(things, byId("2"), { name: "a" })
  )
})

describe("an answer that is kept while nothing changes", () => {
  it("is the same one until something is committed, and has nothing of a transaction that is open", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        const keep = snapshotCache(records, 10)
        const names = (size = 1) =>
          keep(
            [size],
            Effect.map(records.find(things, {}), (rows) => ({ names: rows.map(({ name }) => name) })),
            () => size
          )
        yield* records.insert(things, thing("1", { name: "a" }))
        const first = yield* names()
        expect(yield* names()).toBe(first)
        expect(Object.isFrozen(first)).toBe(true)
        const undone = records.transaction(
          Effect.gen(function* () {
            yield* records.update(things, byId("1"), { name: "b" })
            expect(yield* names()).toEqual({ names: ["b"] })
            return yield* Effect.fail("undone")
          })
        )
        yield* Effect.exit(undone)
        expect(yield* names()).toBe(first)
        yield* records.update(things, byId("1"), { name: "c" })
        expect(yield* names()).toEqual({ names: ["c"] })
        // What is too large to be kept is made each time.
        expect(yield* names(11)).not.toBe(yield* names(11))
      })
    ))
})
