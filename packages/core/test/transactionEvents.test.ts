/** Transaction events: their handlers run in the transaction of the publisher and share its outcome. */
import { Records, StorageUnavailable, Table, TransactionEvents, transactionEvent } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Cause, Effect, Exit, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const notes = Table.make("notes", { columns: { id: Table.text() }, key: ["id"] })

const Noted = transactionEvent<{ readonly id: string }>("Noted")

const services = () =>
  TransactionEvents.layer.pipe(Layer.provideMerge(Records.layer), Layer.provide(MemoryStorage.layer([notes])))

const run = <A, E>(
  use: (
    events: TransactionEvents["Service"],
    records: Records["Service"]
  ) => Effect.Effect<A, E, Records | TransactionEvents>
): Promise<A> =>
  Effect.gen(function* () {
    return yield* use(yield* TransactionEvents, yield* Records)
  }).pipe(Effect.provide(services()), Effect.runPromise)

const storedIds = (records: Records["Service"]) =>
  Effect.map(records.find(notes, { orderBy: ["id"] }), (rows) => rows.map(({ id }) => id))

const messageOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "succeeded"

describe("a transaction event", () => {
  it("runs every handler once, in the order of registration, with the payload", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 5 }), fc.nat(4), (ids, handlers) =>
        run((events, records) =>
          Effect.gen(function* () {
            const calls: Array<readonly [number, string]> = []
            for (let handler = 0; handler <= handlers; handler++) {
              yield* events.register(Noted, ({ id }) => Effect.sync(() => void calls.push([handler, id])))
            }
            yield* records.transaction(
              Effect.forEach(ids, (id) => events.publish(Noted, { id }), { discard: true })
            )
            const expected = ids.flatMap((id) =>
              Array.from({ length: handlers + 1 }, (_, handler) => [handler, id])
            )
            expect(calls).toEqual(expected)
          })
        )
      )
    ))

  it("stores the writes of the publisher and of its handlers together", () =>
    run((events, records) =>
      Effect.gen(function* () {
        yield* events.register(Noted, ({ id }) => records.insert(notes, { id: `${id}, handled` }))
        yield* records.transaction(
          Effect.andThen(records.insert(notes, { id: "a" }), events.publish(Noted, { id: "a" }))
        )
        expect(yield* storedIds(records)).toEqual(["a", "a, handled"])
      })
    ))

  it("rolls back the publisher if a later handler fails", () =>
    run((events, records) =>
      Effect.gen(function* () {
        yield* events.register(Noted, ({ id }) => records.insert(notes, { id: `${id}, handled` }))
        yield* events.register(Noted, () =>
          Effect.fail(new StorageUnavailable({ reason: "Unreachable", detail: "refused" }))
        )
        const exit = yield* Effect.exit(
          records.transaction(
            Effect.andThen(records.insert(notes, { id: "a" }), events.publish(Noted, { id: "a" }))
          )
        )
        expect(messageOf(exit)).toContain("StorageUnavailable")
        expect(yield* storedIds(records)).toEqual([])
      })
    ))

  it("rolls back the writes of handlers if the publisher fails afterwards", () =>
    run((events, records) =>
      Effect.gen(function* () {
        yield* events.register(Noted, ({ id }) => records.insert(notes, { id }))
        yield* Effect.exit(
          records.transaction(
            Effect.andThen(events.publish(Noted, { id: "a" }), Effect.fail("changed my mind"))
          )
        )
        expect(yield* storedIds(records)).toEqual([])
      })
    ))

  it("is a defect outside a transaction", () =>
    run((events) =>
      Effect.gen(function* () {
        yield* events.register(Noted, () => Effect.void)
        expect(messageOf(yield* Effect.exit(events.publish(Noted, { id: "a" })))).toContain(
          "Noted was published outside a transaction."
        )
      })
    ))

  it("is a defect without a handler", () =>
    run((events, records) =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(records.transaction(events.publish(Noted, { id: "a" })))
        expect(messageOf(exit)).toContain("Noted has no handler.")
      })
    ))
})
