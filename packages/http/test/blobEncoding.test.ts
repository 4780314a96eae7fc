/** Compressed blobs, and blobs that are stored as the difference from an earlier version. */
import { BlobCompression, type BlobHash, Blobs, blobs, Records, RecordsAdapter } from "@lectern/core"
import { runs } from "@lectern/harness"
import { type Context, Effect, Layer, Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ruleStores, stores } from "./stores.ts"

const encoder = new TextEncoder()

/** The services of a process, which stores blobs compressed or not: caches are empty. */
const openProcess = (adapter: Context.Service.Shape<typeof RecordsAdapter>, compresses = true) =>
  Layer.build(
    Layer.fresh(
      Blobs.layer.pipe(
        Layer.provideMerge(Records.layer),
        Layer.provide(Layer.succeed(RecordsAdapter, adapter)),
        Layer.provide(Layer.succeed(BlobCompression, compresses))
      )
    )
  )

const words = "alpha bridge canyon delta ember forest granite harbor island jungle kettle lantern".split(" ")

/** Returns text of about `size` bytes, which is determined by `seed`. */
const textOf = (seed: number, size: number): string => {
  let state = seed + 1
  let text = ""
  while (text.length < size) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += `${words[(state >>> 16) % words.length]}${state % 97} `
  }
  return text
}

/** A version: a replaced word of an earlier version, or a new text. */
const version = fc.record({
  previous: fc.nat(),
  at: fc.nat(),
  word: fc.nat(),
  isNew: fc.boolean(),
  size: fc.integer({ min: 0, max: 9_000 }),
  isNewProcess: fc.boolean(),
  compresses: fc.boolean()
})

const replaceWord = (text: string, at: number, word: number): string => {
  const parts = text.split(" ")
  parts[at % parts.length] = `edited${word}`
  return parts.join(" ")
}

const readStored = (adapter: Context.Service.Shape<typeof RecordsAdapter>) =>
  adapter.find(blobs, { where: { op: "all" }, orderBy: [], direction: "asc" })

describe("blobs with earlier versions", () => {
  for (const { name, make } of ruleStores) {
    it(`are read unchanged, from at most three rows, on ${name}`, async () => {
      const storage = await make()
      await fc.assert(
        fc.asyncProperty(fc.array(version, { minLength: 1, maxLength: 12 }), fc.nat(), (versions, seed) =>
          Effect.gen(function* () {
            const adapter = yield* RecordsAdapter
            yield* adapter.remove(blobs, { op: "all" })
            const texts = [textOf(seed, 5_000)]
            let process = yield* openProcess(adapter)
            const put = (text: string, previous: string | undefined) =>
              Effect.gen(function* () {
                const store = yield* Blobs
                const before = previous === undefined ? [] : yield* store.put([encoder.encode(previous)])
                return (yield* store.put([encoder.encode(text)], before))[0]!
              }).pipe(Effect.provide(process))
            yield* put(texts[0]!, undefined)
            for (const { previous, at, word, isNew, size, isNewProcess, compresses } of versions) {
              if (isNewProcess) process = yield* openProcess(adapter, compresses)
              const before = texts[previous % texts.length]!
              const text = isNew ? textOf(word, size) : replaceWord(before, at, word)
              texts.push(text)
              yield* put(text, before)
            }
            const rows = yield* readStored(adapter)
            const baseOf = new Map(rows.map(({ hash, base }) => [hash, base]))
            const chains = rows.map(({ hash }) => {
              const chain = [hash]
              for (let base = baseOf.get(hash); base != null; base = baseOf.get(base)) chain.push(base)
              return chain
            })
            expect(chains.filter((chain) => chain.length > 3)).toEqual([])
            expect(chains.flat().filter((hash) => !baseOf.has(hash))).toEqual([])
            const all = yield* Effect.gen(function* () {
              const store = yield* Blobs
              const reader = store.reader("test", (bytes) => new TextDecoder().decode(bytes), 1)
              const hashes = yield* store.put(texts.map((text) => encoder.encode(text)))
              const single = yield* Effect.forEach(hashes, (hash) => store.find(hash))
              return [yield* reader.getMany(hashes), single.map((bytes) => new TextDecoder().decode(bytes))]
            }).pipe(Effect.provide(yield* openProcess(adapter)))
            expect(all).toEqual([texts, texts])
          }).pipe(Effect.scoped, Effect.provide(storage), Effect.runPromise)
        ),
        runs(name === "PostgreSQL" ? 15 : 40)
      )
    })
  }

  // Blobs in memory are not compressed, and have no dictionaries.
  for (const { name, make } of ruleStores.filter((store) => store.name !== "memory")) {
    it(`are stored by a repeated transaction if dictionaries were deleted since they were cached, on ${name}`, async () => {
      const storage = await make()
      let lostCount = 0
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 4 }), fc.nat(), (seed, count, deleted) =>
          Effect.gen(function* () {
            const adapter = yield* RecordsAdapter
            yield* adapter.remove(blobs, { op: "all" })
            const texts = [textOf(seed, 5_000)]
            for (let edit = 0; edit < count; edit++) texts.push(replaceWord(texts.at(-1)!, edit * 7, edit))
            const edited = replaceWord(texts.at(-1)!, 30, 30)
            const hash = yield* Effect.gen(function* () {
              const [store, records] = [yield* Blobs, yield* Records]
              const put = (text: string, previous: BlobHash | undefined) =>
                Effect.map(
                  records.transaction(store.put([encoder.encode(text)], [previous])),
                  ([hash]) => hash!
                )
              const hashes: Array<BlobHash> = []
              for (const text of texts) hashes.push(yield* put(text, hashes.at(-1)))
              // Like garbage collection, which deletes no dictionary of a blob that remains.
              const lost = new Set<unknown>([hashes[deleted % hashes.length]])
              const rows = yield* readStored(adapter)
              for (const _ of rows) for (const { hash, base } of rows) if (lost.has(base)) lost.add(hash)
              yield* adapter.remove(blobs, { op: "in", column: "hash", values: [...lost] as Array<string> })
              const before = yield* readStored(adapter)
              const edit = put(edited, hashes.at(-1))
              const first = yield* Effect.result(edit)
              if (Result.isSuccess(first)) return first.success
              lostCount++
              expect(first.failure.reason).toBe("Contention")
              expect(yield* readStored(adapter)).toEqual(before)
              return yield* edit
            }).pipe(Effect.provide(yield* openProcess(adapter)))
            const found = yield* Effect.provide(
              Effect.flatMap(Blobs, (store) => store.find(hash)),
              yield* openProcess(adapter)
            )
            expect(new TextDecoder().decode(found)).toBe(edited)
          }).pipe(Effect.scoped, Effect.provide(storage), Effect.runPromise)
        ),
        runs(10)
      )
      expect(lostCount).toBeGreaterThan(0)
    })
  }

  it("are stored unchanged if compression is off, and compressed ones are read", async () => {
    const storage = await stores[0]!.make()
    const [read, encodings] = await Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      const [one, other] = [textOf(1, 5_000), textOf(2, 5_000)]
      const put = (text: string, compresses: boolean, previous: ReadonlyArray<BlobHash>) =>
        Effect.gen(function* () {
          return yield* Effect.provide(
            Effect.flatMap(Blobs, (store) => store.put([encoder.encode(text)], previous)),
            yield* openProcess(adapter, compresses)
          )
        })
      const compressed = yield* put(one, true, [])
      const plain = yield* put(other, false, compressed)
      const edited = yield* put(replaceWord(one, 3, 1), false, compressed)
      const found = yield* Effect.provide(
        Effect.flatMap(Blobs, (store) => store.find(compressed[0]!)),
        yield* openProcess(adapter, false)
      )
      const rows = yield* readStored(adapter)
      return [
        new TextDecoder().decode(found) === one,
        [compressed, plain, edited].map(([hash]) => rows.find((row) => row.hash === hash)?.encoding)
      ]
    }).pipe(Effect.scoped, Effect.provide(storage), Effect.runPromise)
    expect(read).toBe(true)
    expect(encodings).toEqual(["zstd", null, null])
  })

  it("are stored again as differences and compressed, by a process that compresses, and remain readable", async () => {
    const storage = await stores[0]!.make()
    await fc.assert(
      fc.asyncProperty(fc.array(version, { minLength: 3, maxLength: 20 }), fc.nat(), (versions, seed) =>
        Effect.gen(function* () {
          const adapter = yield* RecordsAdapter
          yield* adapter.remove(blobs, { op: "all" })
          const texts = [textOf(seed, 5_000)]
          for (const { previous, at, word, isNew, size } of versions) {
            const before = texts[previous % texts.length]!
            texts.push(isNew ? textOf(word, size) : replaceWord(before, at, word))
          }
          const bytes = texts.map((text) => encoder.encode(text))
          const hashes = yield* Effect.provide(
            Effect.flatMap(Blobs, (store) => store.put(bytes)),
            yield* openProcess(adapter, false)
          )
          const sizeOf = Effect.map(readStored(adapter), (rows) =>
            rows.reduce((sum, row) => sum + (row.bytes as Uint8Array).length, 0)
          )
          const before = yield* sizeOf
          const pairs = versions.map(
            ({ previous }, at) => [hashes[at + 1]!, hashes[previous % (at + 1)]!] as const
          )
          const current = hashes.at(-1)!
          const run = Effect.gen(function* () {
            const { makeReencoder } = yield* Blobs
            const reencoder = yield* makeReencoder(new Set([current]))
            const { savedBytes, encoded } = yield* reencoder.storeVersions(pairs)
            const compressed = yield* reencoder.compress(undefined, 500)
            return { encoded: encoded + compressed.encoded, savedBytes: savedBytes + compressed.savedBytes }
          })
          const process = yield* openProcess(adapter)
          const first = yield* Effect.provide(run, process)
          expect(first.savedBytes).toBe(before - (yield* sizeOf))
          expect((yield* Effect.provide(run, process)).savedBytes).toBe(0)
          const rows = yield* readStored(adapter)
          expect(rows.find(({ hash }) => hash === current)!.base).toBe(null)
          const dictionaries = new Set(rows.map(({ base }) => base))
          expect(rows.filter(({ hash, base }) => base !== null && dictionaries.has(hash))).toEqual([])
          const found = yield* Effect.provide(
            Effect.flatMap(Blobs, (store) => Effect.forEach(hashes, store.find)),
            yield* openProcess(adapter)
          )
          expect(found.map((one) => new TextDecoder().decode(one))).toEqual(texts)
        }).pipe(Effect.scoped, Effect.provide(storage), Effect.runPromise)
      ),
      runs(30)
    )
  })

  it("take a fraction of their size, if a word was replaced", async () => {
    const storage = await stores[0]!.make()
    const sizes = await Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      yield* Effect.gen(function* () {
        const store = yield* Blobs
        let text = textOf(1, 5_000)
        let previous = (yield* store.put([encoder.encode(text)]))[0]
        for (let edit = 0; edit < 100; edit++) {
          text = replaceWord(text, edit * 7, edit)
          previous = (yield* store.put([encoder.encode(text)], [previous]))[0]
        }
      }).pipe(Effect.provide(yield* openProcess(adapter)))
      return (yield* readStored(adapter)).map(({ bytes }) => (bytes as Uint8Array).length)
    }).pipe(Effect.scoped, Effect.provide(storage), Effect.runPromise)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(total / sizes.length).toBeLessThan(250)
  })
})
