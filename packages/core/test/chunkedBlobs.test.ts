/** Files of several chunks: written from any stream, and read by range. */
import { Blobs, blobs, ChunkedBlobs, chunkedBlobs, Records, Where } from "@lectern/core"
import { hashOf } from "@lectern/core/content"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const chunkSize = 7

const services = ChunkedBlobs.layerOf(chunkSize).pipe(
  Layer.provideMerge(Blobs.layer),
  Layer.provideMerge(Records.layer),
  Layer.provide(MemoryStorage.layer())
)

/** The pieces in which the bytes of a file arrive. */
const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 })

const readBytes = Effect.fnUntraced(function* (
  hash: ReturnType<typeof hashOf>,
  start?: number,
  end?: number
) {
  const file = (yield* (yield* ChunkedBlobs).open(hash))!
  return Buffer.concat(yield* Stream.runCollect(file.read(start ?? 0, end ?? file.size)))
})

const store = Effect.fnUntraced(function* (stream: Stream.Stream<Uint8Array>) {
  const files = yield* ChunkedBlobs
  const stored = yield* files.write(stream)
  yield* files.link(stored)
  return stored
})

const check = <A, E>(effect: Effect.Effect<A, E, Blobs | ChunkedBlobs | Records>) =>
  Effect.runPromise(Effect.provide(effect, services, { local: true }))

describe("a file in chunks", () => {
  it("has the hash of its bytes, and returns every range of them", () =>
    fc.assert(
      fc.asyncProperty(pieces, fc.array(fc.tuple(fc.nat(160), fc.nat(160))), (all, ranges) =>
        check(
          Effect.gen(function* () {
            const bytes = Buffer.concat(all)
            const { hash, size } = yield* store(Stream.fromIterable(all))
            expect([hash, size]).toEqual([hashOf(bytes), bytes.length])
            expect(yield* readBytes(hash)).toEqual(bytes)
            for (const [one, other] of ranges) {
              const [start, end] = [Math.min(one, other, size), Math.min(Math.max(one, other), size)]
              expect(yield* readBytes(hash, start, end)).toEqual(bytes.subarray(start, end))
            }
          })
        )
      ),
      runs(100)
    ))

  it("is stored once, however its bytes arrive", () =>
    fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 30 }), (all, pieceSize) =>
        check(
          Effect.gen(function* () {
            const records = yield* Records
            const countRows = Effect.all([
              records.count(blobs, Where.all),
              records.count(chunkedBlobs, Where.all)
            ])
            const bytes = Buffer.concat(all)
            const first = yield* store(Stream.fromIterable(all))
            const before = yield* countRows
            const parts = Array.from({ length: Math.ceil(bytes.length / pieceSize) }, (_, index) =>
              bytes.subarray(index * pieceSize, (index + 1) * pieceSize)
            )
            expect(yield* store(Stream.fromIterable(parts))).toEqual(first)
            expect(yield* countRows).toEqual(before)
            expect(before[1]).toBe(bytes.length > chunkSize ? 1 : 0)
          })
        )
      ),
      runs(100)
    ))

  it("reads only the chunks that contain the range", () =>
    check(
      Effect.gen(function* () {
        const bytes = Buffer.from(Array.from({ length: 5 * chunkSize }, (_, index) => index))
        const { hash, chunks } = yield* store(Stream.make(bytes))
        const others = [chunks[0]!, chunks[1]!, chunks[4]!]
        yield* (yield* Records).remove(blobs, Where.isIn("hash", others))
        const [start, end] = [2 * chunkSize, 4 * chunkSize]
        expect(yield* readBytes(hash, start, end)).toEqual(bytes.subarray(start, end))
        expect((yield* Effect.exit(readBytes(hash, start - 1, end)))._tag).toBe("Failure")
      })
    ))

  it("is not readable before it is linked, or if its stream fails", () =>
    check(
      Effect.gen(function* () {
        const files = yield* ChunkedBlobs
        const bytes = Buffer.alloc(3 * chunkSize, 1)
        const { hash } = yield* files.write(Stream.make(bytes))
        expect(yield* files.open(hash)).toBeUndefined()
        const broken = Stream.concat(Stream.make(bytes), Stream.fail("disconnected"))
        expect(yield* Effect.flip(files.write(broken))).toBe("disconnected")
        expect(yield* (yield* Records).count(chunkedBlobs, Where.all)).toBe(0)
      })
    ))

  it("reuses bytes that are stored as one blob", () =>
    check(
      Effect.gen(function* () {
        const bytes = Buffer.alloc(3 * chunkSize, 1)
        const [whole] = yield* (yield* Blobs).put([bytes])
        const { hash } = yield* store(Stream.make(bytes))
        expect(hash).toBe(whole)
        expect(yield* readBytes(hash, 2, 9)).toEqual(bytes.subarray(2, 9))
        expect(yield* (yield* Records).count(chunkedBlobs, Where.all)).toBe(0)
      })
    ))
})
