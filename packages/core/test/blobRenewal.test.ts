/** Bytes that are stored again are as new: garbage collection does not delete bytes that were just stored. */
import { Blobs, Records } from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { makeMovableClock } from "@lectern/testkit/model"
import { Clock, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const services = Blobs.layer.pipe(Layer.provideMerge(Records.layer), Layer.provide(MemoryStorage.layer()))

const hourMs = 60 * 60 * 1_000

/** The age from which garbage collection deletes unreachable blobs, which is longer than the precision of `usedAt`. */
const graceMs = 24 * hourMs

it("renews existing bytes whenever they are stored, for any sequence of pauses and writes", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ pauseHours: fc.nat(72), texts: fc.uniqueArray(fc.nat(4), { minLength: 1 }) }), {
        minLength: 1,
        maxLength: 8
      }),
      (steps) => {
        const time = makeMovableClock()
        return Effect.gen(function* () {
          const blobs = yield* Blobs
          for (const { pauseHours, texts } of steps) {
            time.advance(pauseHours * hourMs)
            const put = yield* blobs.put(texts.map((text) => new TextEncoder().encode(`Text ${text}`)))
            const moment = new Date(time.now() - graceMs).toISOString()
            const unused = yield* blobs.unusedSince(moment, undefined, 100)
            expect(unused.filter((hash) => put.includes(hash))).toEqual([])
            yield* blobs.remove(unused, moment)
            expect((yield* blobs.sizes(put)).size).toBe(new Set(put).size)
          }
        }).pipe(
          Effect.provideService(Clock.Clock, time.clock),
          Effect.provide(services, { local: true }),
          Effect.runPromise
        )
      }
    ),
    runs(100)
  ))
