/** Reading blobs through a cache that is too small for all of them. */
import { Blobs, Records } from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const services = Blobs.layer.pipe(Layer.provideMerge(Records.layer), Layer.provide(MemoryStorage.layer()))

const encoder = new TextEncoder()
const decoder = new TextDecoder()

describe("a blob reader", () => {
  it("returns every requested blob if the cache holds only some of them", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(60), { minLength: 1, maxLength: 40 }), { maxLength: 6 }),
        (requests) =>
          Effect.gen(function* () {
            const blobs = yield* Blobs
            const texts = Array.from({ length: 61 }, (_, index) => `The text with the number ${index}`)
            const hashes = yield* blobs.put(texts.map((text) => encoder.encode(text)))
            const reader = blobs.reader("test", (bytes) => decoder.decode(bytes), 300)
            for (const indexes of requests) {
              const values = yield* reader.getMany(indexes.map((index) => hashes[index]!))
              expect(values).toEqual(indexes.map((index) => texts[index]))
            }
          }).pipe(Effect.provide(services, { local: true }), Effect.runPromise)
      ),
      runs(50)
    ))
})
